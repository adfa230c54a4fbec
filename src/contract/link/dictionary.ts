/**
 * Preset dictionaries for deflate, one per link schema: text that links often contain, the likeliest last. A dictionary is
 * frozen with its schema number: changing one character breaks every link made with it (golden/links.json would tell).
 */
export const DICTIONARY_1 =
  '"seeThroughWalls":true,"pickupActsAsToggle":true,"mission":"get to the green goal square","endRule":{"kind":"goal"},"viewSize":5,"maxRoomSize":5,"rooms":2,"objects":2,"stripRow":5,' +
  '"randomLength":true,"randomStart":true,"crossings":2,"actionMask":true,"rainy":true,"rainyProbability":0.8,"players":3,"foods":2,"fieldSize":[10,10],"coop":true,"sight":2,"penalty":0.1,' +
  '"gridObservation":true,"normalizeReward":false,"playerLevels":[1,2],"memoryLength":30,"bits":5,"mappingSeed":4,"deterministic":false,"size":20,"rows":10,"columns":5,"arms":11,' +
  '"chainLength":30,"distractors":100,"difficultyRamping":false,"stickyActionProbability":0,"successRate":0.8,"startState":0,"start":[1,1,0]},"layout":["WE WE WE WE WE WE WE WE WE",' +
  '"WE .. .. .. .. .. .. .. WE",".. GG WE","WE .. KY .. DR .. LY .. VR LV KB LB BB ","SFFFFFFF","FFFFFFFF","FFFHFFFF","FFFFFHFF","FHHFFFHF","FHFFHFHF","FFFHFFFG","map":["SFFF","FHFH","FFFH","HFFG"],' +
  '"slippery":false,"maxSteps":200,"maxSteps":500,"width":6,"height":6},"width":5,"height":5},"width":16,"height":16},' +
  '"copies":8,"tolerance":1e-10,"initialValue":0,"maxEpisodes":500,"decayEpisodes":5000,"epsilonFinal":0.05,"alphaFinal":null,"alpha":0.1,"epsilon":1,' +
  '"priorityAlpha":0.6,"priorityBeta":0.4,"loss":"huber","gradientSteps":1,"tau":1,"targetEvery":500,"trainEvery":4,"batchSize":64,"learningStarts":1000,"bufferSize":100000,' +
  '"epsilonFraction":0.5,"epsilonEnd":0.01,"epsilonStart":1,"prioritised":true,"nStep":3,"dueling":true,"double":true,"normaliseReward":true,"normaliseObs":true,"sharedTrunk":true,' +
  '"targetKl":0.015,"adamEps":1e-8,"clipValue":false,"normaliseAdvantages":false,"maxGradNorm":0.5,"valueCoef":0.5,"entropyCoef":0,"minibatches":8,"epochs":10,"clip":0.1,"rolloutSteps":256,' +
  '"bootstrapAtTruncation":false,"annealLr":false,"lambda":0.95,"gamma":0.99,"activation":"relu","hidden":[128,128],"hidden":[256,256],"envs":8,"envs":16,"lr":0.0003,"lr":0.0005,"lr":0.001,' +
  '"acrobot","bandit","bsuite-cartpole","catch","deep-sea","discounting-chain","memory-chain","umbrella-chain","mountain-car-continuous","pendulum","taxi","minatar-breakout","minatar-asterix",' +
  '"level-based-foraging","mpe-simple-spread","mpe-simple-tag","minigrid-blocked-unlock-pickup","minigrid-custom","minigrid-dist-shift","minigrid-fetch","minigrid-go-to-door","minigrid-key-corridor",' +
  '"minigrid-lava-gap","minigrid-memory","minigrid-multi-room","minigrid-put-near","minigrid-red-blue-doors","minigrid-simple-crossing","minigrid-unlock","minigrid-lava-crossing",' +
  '"minigrid-four-rooms","minigrid-doorkey","minigrid-empty","cliff-walking","frozen-lake","value-iteration","random","sarsa","q-learning","sac","td3","ippo","mappo","dqn",' +
  '"executor":"tfjs-webgpu","evalEpisodes":20,"evalEvery":10000,"seeds":10,"seeds":1,"seeds":3,"steps":1000000},"steps":500000},"steps":200000},"steps":100000},"steps":300000},"steps":50000},' +
  '"projector":true,"overlays":["values","policy","visits","view"],"metric":"evalReturn","lock":["algo.lr","run.seeds","run.steps"],"filter":"camera":"follow","camera":"top",' +
  '"tab":"curves","depth":"research","depth":"teach","experiment":"lesson-cliff-q-learning","experiment":"lesson-learning-rate","experiment":"ppo-minigrid-doorkey","experiment":"dqn-cartpole",' +
  '"experiment":"ppo-cartpole","version":2,"run":{"steps":100000},"view":{"experiment":"start-cartpole"}},"env":{"config":{"slippery":false},"id":"frozen-lake"},' +
  '{"algo":{"config":{"epsilon":0.1},"id":"q-learning"},"env":{"id":"cliff-walking"},{"algo":{"config":{"lr":0.001},"id":"ppo"},"env":{"config":{"height":5,"width":5},"id":"minigrid-empty"},"run":{"seedStart":' +
  '{"algo":{"id":"ppo"},"env":{"id":"cartpole"},"run":{"seedStart":7},"view":{"experiment":"start-cartpole"}}';
