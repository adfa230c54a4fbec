/**
 * Preset dictionaries for deflate, one per link schema: text that links often contain, the likeliest last. A dictionary is
 * frozen with its schema number: changing one character breaks every link made with it (the corpus in golden/links.json tells).
 */
export const DICTIONARY_1 =
  '"episodes":"epsilonDecay":"epsilonStart":1,"epsilonEnd":0.05,"initialValue":0,"theta":1e-10,"alpha":0.5,"epsilon":0.1,"targetEvery":500,' +
  '"bufferSize":100000,"learningStarts":10000,"trainEvery":10,"prioritised":true,"double":true,"dueling":true,"nStep":3,"batch":128,"width":256,"layers":' +
  '"minibatches":4,"epochs":4,"rollout":128,"copies":4,"envs":4,"clip":0.2,"gae":0.95,"lambda":0.95,"gamma":0.99,"entropyCoef":0.01,"valueCoef":0.5,"maxGradNorm":0.5,' +
  '"normaliseAdvantages":false,"clipValueLoss":true,"bootstrap":"anneal":true,"activation":"relu","tanh","hidden":[64,64],"lr":0.00025,"lr":0.0003,"lr":0.001,' +
  '"mission":"reach the green goal square","seeThroughWalls":true,"viewSize":7,"maxSteps":500,"width":8,"height":8,"rooms":4,"numCrossings":1,"slippery":false,"successRate":0.8,' +
  '"SFFF","FHFH","FFFH","HFFG","SFFFFFFF","FFFFFFFF","FFFHFFFF","FFFFFHFF","FHHFFFHF","FHFFHFHF","FFFHFFFG","map":["' +
  '"observability":"endRule":{"kind":"goal"},"startState":"agentPos":[1,1],"agentDir":0,"grid":[[' +
  '"acrobot","mountain-car-continuous","pendulum","taxi","minigrid-custom","minigrid-simple-crossing","minigrid-lava-gap","minigrid-dist-shift","minigrid-memory",' +
  '"minigrid-unlock","minigrid-key-corridor","minigrid-fetch","minatar-breakout","minatar-asterix","bsuite-catch","level-based-foraging","mpe-simple-spread","mpe-simple-tag",' +
  '"minigrid-multi-room","minigrid-lava-crossing","minigrid-four-rooms","minigrid-doorkey","minigrid-empty","cliff-walking","frozen-lake","cartpole"' +
  '"value-iteration","random","sarsa","q-learning","sac","td3","ippo","mappo","dqn","ppo"' +
  '"camera":"follow","lock":["algo.lr","run.seeds"],"overlays":["values","policy","visits"],"depth":"research","teach","projector":true,"tab":"curves","filter":"metric":"return",' +
  '"executor":"tfjs-webgpu","evalEpisodes":100,"evalEvery":10000,"steps":1000000,"steps":500000,"steps":200000,"steps":100000,"seeds":10,"seeds":1,"seedStart":1' +
  '},"view":{"depth":"teach"},"version":1,"run":{"steps":100000}},"env":{"id":"minigrid-empty"},"env":{"id":"frozen-lake"},"run":{"seedStart":' +
  '{"algo":{"config":{"lr":0.001},"id":"dqn"},{"algo":{"id":"q-learning"},"env":{"config":{"maxSteps":' +
  '{"algo":{"id":"ppo"},"env":{"id":"cartpole"},"run":{"seedStart":';
