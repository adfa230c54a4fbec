/** Spanish: lessons and class. Texts by their English wording; how to add one: docs/languages.md. */
import type { Catalogue } from '../../text.ts';

const texts: Catalogue = {
  'my settings': 'mis ajustes',
  'the run': 'la ejecución',
  'at least {min} and at most {max}': 'al menos {min} y como mucho {max}',
  'at least {min}': 'al menos {min}',
  'at most {max}': 'como mucho {max}',
  'a greedy return of {range} on every seed': 'un retorno voraz de {range} con cada semilla',
  'a greedy return of {range} as the mean over seeds': 'un retorno voraz de {range} como media de las semillas',
  'a return at the end of {range} on every seed': 'un retorno al final de {range} con cada semilla',
  'a return at the end of {range} as the mean over seeds': 'un retorno al final de {range} como media de las semillas',
  'Looking for moments.': 'Buscando momentos.',
  'Two short moments of this dataset, again and again: say which is nearer to what you want. A reward is learned from your answers, and an agent from that reward; twenty make a start.':
    'Dos momentos breves de este conjunto de datos, una y otra vez: di cuál se acerca más a lo que quieres. De tus respuestas se aprende una recompensa, y de esa recompensa aprende un agente; con veinte se puede empezar.',
  'Compare pairs': 'Comparar parejas',
  'First moment of pair {n} in {world}.': 'Primer momento de la pareja {n} en {world}.',
  'Second moment of pair {n} in {world}.': 'Segundo momento de la pareja {n} en {world}.',
  'The first': 'El primero',
  'The second': 'El segundo',
  Neither: 'Ninguno',
  Undo: 'Deshacer',
  'Play the moments': 'Reproducir los momentos',
  '{n} answers': '{n, plural, one {{n} respuesta} other {{n} respuestas}}',
  'Keep the answers': 'Conservar las respuestas',
  'What was measured': 'Qué se midió',
  '{title}.': '{title}.',
  'Predicted: {prediction}.': 'Predicción: {prediction}.',
  'Not run yet.': 'Aún sin ejecutar.',
  'Task reached: {goal}.': 'Tarea lograda: {goal}.',
  'Task not reached yet: {goal}.': 'Tarea aún sin lograr: {goal}.',
  'No lesson is named.': 'No se indica ninguna lección.',
  'All lessons': 'Todas las lecciones',
  '{lesson}, step {n}': '{lesson}, paso {n}',
  'Projector: large type': 'Proyector: letra grande',
  'Leave the lesson': 'Salir de la lección',
  Steps: 'Pasos',
  'This step cannot be opened.': 'No se puede abrir este paso.',
  'There are answers of an earlier visit.': 'Hay respuestas de una visita anterior.',
  'Start the lesson over': 'Empezar la lección de nuevo',
  'Back to the start of this step': 'Volver al principio de este paso',
  Back: 'Atrás',
  'Class {word}, my seat number': 'Clase {word}, mi número de puesto',
  'a whole number from 1 to 255': 'un número entero de 1 a 255',
  'Play it yourself': 'Juega tú',
  'Run it': 'Ejecutar',
  'Run all {n}': 'Ejecutar los {n}',
  'First your prediction, then the run.': 'Primero tu predicción; después, la ejecución.',
  'In your own words; it stays on this machine.': 'Con tus propias palabras; se queda en este equipo.',
  'Your prediction': 'Tu predicción',
  'Your controls': 'Tus controles',
  'Train both': 'Entrenar ambos',
  'Train my settings': 'Entrenar con mis ajustes',
  'First your seat number, then the run.': 'Primero tu número de puesto; después, la ejecución.',
  'Step {n}: {title}': 'Paso {n}: {title}',
  'Step {n}: {title}, met': 'Paso {n}: {title}, logrado',
  'Step {n}: {title}, not yet met': 'Paso {n}: {title}, aún no logrado',
  'To reach: {goal}.': 'Objetivo: {goal}.',
  '✓ Reached: {goal}.': '✓ Logrado: {goal}.',
  'Not yet: {goal}. Now {value}.': 'Todavía no: {goal}. Ahora {value}.',
  'Each is a link for a whole class: predict, run it on your own machine, compare. No account, no names, nothing is sent.':
    'Cada una es un enlace para toda la clase: predecir, ejecutarlo en el propio equipo, comparar. Sin cuenta, sin nombres, no se envía nada.',
  'Make a lesson': 'Crear una lección',
  'in {n} steps': 'en {n} pasos',
  'For a class: {lesson}': 'Para una clase: {lesson}',
  'You said {value} {unit}.': 'Has dicho {value} {unit}.',
  '{unit}, {min} to {max}': '{unit}, de {min} a {max}',
  'This is my guess': 'Esta es mi predicción',
  'your sketch': 'tu boceto',
  'your guess': 'tu predicción',
  measured: 'medido',
  'This is my sketch': 'Este es mi boceto',
  'Show me two moments': 'Muéstrame dos momentos',
  '{n} answers are kept.': '{n, plural, one {Se ha guardado {n} respuesta.} other {Se han guardado {n} respuestas.}}',
  'Let an agent learn from them': 'Que un agente aprenda de ellas',
  'Answer anew': 'Responder de nuevo',
  'There is no code of this result.': 'No hay código de este resultado.',
  'My result': 'Mi resultado',
  'Your result as a code, for the class page. It holds your settings and what they gave, and no name.':
    'Tu resultado como código, para la página de la clase. Contiene tus ajustes y lo que dieron, y ningún nombre.',
  'Result code': 'Código del resultado',
  Copy: 'Copiar',
  'QR code': 'Código QR',
  'QR code of my result': 'Código QR de mi resultado',
  run: 'ejecución',
  'return, {measure}': 'retorno, {measure}',
  scene: 'escena',
  'Show the agent of {label} in the scene': 'Mostrar en la escena el agente de {label}',
  'Show this agent in the scene': 'Mostrar este agente en la escena',
  'not started': 'sin empezar',
  '{n} % trained': '{n} % entrenado',
  'nothing measured': 'nada medido',
  '{mean} ({n} seeds, {min} to {max})': '{mean} ({n} semillas, de {min} a {max})',
  '{y} at {x}': '{y} en {x}',
  'For the teacher': 'Para el profesorado',
  'Works on the belief: “{belief}”': 'Trabaja la idea previa: «{belief}»',
  'One way through it:': 'Una manera de recorrerla:',
  'What to know:': 'Conviene saber:',
  'To go on: {extend}': 'Para seguir: {extend}',
  Board: 'Tablero',
  seat: 'puesto',
  result: 'resultado',
  settings: 'ajustes',
  'checked here': 'comprobado aquí',
  remove: 'quitar',
  '✓ goal': '✓ objetivo',
  'not yet': 'todavía no',
  'The same for all: {settings}.': 'Igual para todos: {settings}.',
  'as given': 'tal como se dieron',
  'Remove the result of seat {n}': 'Quitar el resultado del puesto {n}',
  'For which lesson?': '¿Para qué lección?',
  'each has “For a class” beside it.': 'junto a cada una está «Para una clase».',
  'one without a seat': 'uno sin puesto',
  'seat {n}': 'puesto {n}',
  '{lesson}: class {word}': '{lesson}: clase {word}',
  Projector: 'Proyector',
  'For the class: link and code': 'Para la clase: enlace y código',
  'QR code of the lesson for the class': 'Código QR de la lección para la clase',
  'Open the lesson by this code or link.': 'Abre la lección con este código o enlace.',
  'Type your seat number: your runs get seeds of their own. No name is asked for.':
    'Escribe tu número de puesto: así tus ejecuciones tienen semillas propias. No se pide ningún nombre.',
  'When a task is done, show or copy its result code.': 'Cuando logres una tarea, muestra o copia su código de resultado.',
  'Link for the class': 'Enlace para la clase',
  Link: 'Enlace',
  'Copy link': 'Copiar el enlace',
  'This lesson is too long for a QR code; send the link.': 'Esta lección es demasiado larga para un código QR; envía el enlace.',
  Collect: 'Recoger',
  'Result codes': 'Códigos de resultado',
  'Paste result codes, as many as you like; each begins with RL1:':
    'Pega códigos de resultado, tantos como quieras; cada uno empieza por RL1:',
  'Add these': 'Añadir estos',
  'Files or photos': 'Archivos o fotos',
  'Close the camera': 'Cerrar la cámara',
  Camera: 'Cámara',
  'Files with result codes': 'Archivos con códigos de resultado',
  Results: 'Resultados',
  'Nothing yet. What comes in is kept on this machine until you delete it.':
    'Todavía nada. Lo que llega se guarda en este equipo hasta que lo borres.',
  '{n} of {all} still to be simulated.': 'Por simular todavía: {n} de {all}.',
  'None is forged, but {n} of {all} could not be verified here: they do not count as true.':
    'Ninguno es falso, pero {n} de {all} no se han podido verificar aquí: no cuentan como verdaderos.',
  'Every result was simulated here again; none is forged.': 'Todos los resultados se han simulado de nuevo aquí; ninguno es falso.',
  'Forged: {seats}. The run of these settings and seeds gives other values.':
    'Falsos: {seats}. La ejecución con estos ajustes y semillas da otros valores.',
  'Goal: {goal}.': 'Objetivo: {goal}.',
  'CSV file': 'Archivo CSV',
  'Everything that was collected is deleted.': 'Se ha borrado todo lo recogido.',
  'Delete all {n} results': '{n, plural, one {Borrar {n} resultado} other {Borrar los {n} resultados}}',
  'Keep them': 'Conservarlos',
  'Delete everything': 'Borrar todo',
  'What a check can tell, and what it cannot': 'Qué puede decir una comprobación y qué no',
  'A result is true when the same settings and seeds give the same values here, bit for bit.':
    'Un resultado es verdadero si los mismos ajustes y semillas dan aquí los mismos valores, bit a bit.',
  'Predictions cannot be checked, nor who pressed the buttons.':
    'Las predicciones no se pueden comprobar, ni tampoco quién pulsó los botones.',
  'A result of another version of the workbench is “cannot be checked”, never “forged”.':
    'Un resultado de otra versión del laboratorio «no se puede comprobar»; nunca es «falso».',
  'Seats are numbers; keep the list of who sits where on paper. Nothing of this page is sent anywhere.':
    'Los puestos son números; anota en papel quién se sienta dónde. Nada de esta página se envía a ningún sitio.',
  '{n} results': '{n, plural, one {{n} resultado} other {{n} resultados}}',
  '{n} of {all} reached the goal': '{n, plural, one {{n} de {all} ha alcanzado} other {{n} de {all} han alcanzado}} el objetivo',
  '{words}, {n} not verified': '{words}, {n} sin verificar',
  '{words}, {n} forged': '{words}, {n, plural, one {{n} falso} other {{n} falsos}}',
  'goal {value}': 'objetivo {value}',
  'no seat': 'sin puesto',
  '{counted}.': '{counted}.',
  'Return, {measure}, mean over seeds, less that of {other}.': 'Retorno, {measure}, media de las semillas, menos el de {other}.',
  'Return, {measure}, mean over seeds.': 'Retorno, {measure}, media de las semillas.',
  'Return, {measure}, the seed that decides.': 'Retorno, {measure}, la semilla que decide.',
  'What the class predicted': 'Qué predijo la clase',
  '{n} of {all}': '{n} de {all}',
  '{min} to {max} {unit}, half of them at most {median}.': 'de {min} a {max} {unit}, la mitad como mucho {median}.',
  '{n} sketches over each other': '{n, plural, one {{n} boceto} other {{n} bocetos superpuestos}}',
  'Camera: hold a result code in front of it': 'Cámara: pon delante un código de resultado',
  'Paste the codes instead, or choose photos of them.': 'Pega los códigos o elige fotos de ellos.',
  'The browser did not let the page use the camera. Allow it at the left of the address bar, or go on without.':
    'El navegador no ha dejado que la página use la cámara. Permítelo a la izquierda de la barra de direcciones o sigue sin ella.',
  'This machine has no camera that the browser can use.': 'Este equipo no tiene una cámara que el navegador pueda usar.',
  'The camera is in use by another program. Close that one and try again.':
    'Otro programa está usando la cámara. Ciérralo e inténtalo de nuevo.',
  'Browsers open the camera only for pages served over HTTPS or from this machine.':
    'Los navegadores solo abren la cámara en páginas servidas por HTTPS o desde este equipo.',
  'The camera cannot be used: {why}.': 'No se puede usar la cámara: {why}.',
  'map of {n} rows': 'mapa de {n} filas',
  'true so far, {n} of {all} seeds': 'verdadero hasta ahora, {n} de {all} semillas',
  'true, all {n} seeds': 'verdadero, con {n, plural, one {la única semilla} other {las {n} semillas}}',
  'forged: {why}': 'falso: {why}',
  'cannot be checked: {why}': 'no se puede comprobar: {why}',
  'being simulated': 'simulándose',
  'Nothing new.': 'Nada nuevo.',
  '{n} results added': '{n, plural, one {{n} resultado añadido} other {{n} resultados añadidos}}',
  '{added} ({seats})': '{added} ({seats})',
  '{added}.': '{added}.',
  '{added}, {n} of them of a seat that has handed in before: the newest true one counts.':
    '{added}, {n} de ellos de un puesto que ya había entregado: cuenta el verdadero más reciente.',
  'There is no result code in it. A code begins with RL1: and stands on a line of its own.':
    'Ahí no hay ningún código de resultado. Un código empieza por RL1: y ocupa una línea propia.',
  'More than {n} results: the rest was left out.': 'Más de {n} resultados: el resto se ha omitido.',
  'And {n} more that cannot be read.': 'Y {n, plural, one {{n} más que no se puede leer} other {{n} más que no se pueden leer}}.',
  '{file} is larger than {n} MB.': '{file} ocupa más de {n} MB.',
  '{file} is not a picture that this browser can read.': '{file} no es una imagen que este navegador pueda leer.',
  'No QR code was found in {file}. Take it from nearer, straight, with the whole code in it.':
    'No se ha encontrado ningún código QR en {file}. Toma la foto más de cerca, recta y con el código entero.',
  'made with version {made} of its environment and algorithm; here it is {here}':
    'hecho con la versión {made} de su entorno y su algoritmo; aquí es la {here}',
  'its settings are not possible: {why}': 'sus ajustes no son posibles: {why}',
  'asks for {n} steps a seed; at most {most} are simulated': 'pide {n} pasos por semilla; se simulan como mucho {most}',
  'its settings do not give the configuration that it names': 'sus ajustes no dan la configuración que indica',
  'its seeds are not those of its settings': 'sus semillas no son las de sus ajustes',
  'a seed is missing': 'falta una semilla',
  'seed {n}: {why}': 'semilla {n}: {why}',
  'There is no lesson “{id}”.': 'No existe la lección «{id}».',
  'Did you mean {names}?': '¿Querías decir {names}?',
  'Use one of: {names}.': 'Usa una de estas: {names}.',
  'The link of this lesson is damaged: {why}.': 'El enlace de esta lección está dañado: {why}.',
  'Copy the whole link again.': 'Vuelve a copiar el enlace entero.',
  'This lesson has format {n}; this page knows format {here}.': 'Esta lección tiene el formato {n}; esta página conoce el formato {here}.',
  'Reload the page.': 'Recarga la página.',
  'This is not a result code.': 'Esto no es un código de resultado.',
  'A code begins with RL1: and is copied whole.': 'Un código empieza por RL1: y se copia entero.',
  'This code is damaged: {why}.': 'Este código está dañado: {why}.',
  'Copy the whole code again, or scan it.': 'Vuelve a copiar el código entero, o escanéalo.',
  'its end is missing': 'falta el final',
  'its characters were changed on the way': 'sus caracteres cambiaron por el camino',
  'its end is missing or characters were changed on the way': 'falta el final o sus caracteres cambiaron por el camino',
  'its checksum does not match': 'la suma de comprobación no coincide',
  'its settings cannot be unpacked': 'no se pueden extraer sus ajustes',
  'its content cannot be unpacked': 'no se puede extraer su contenido',
  'it is shorter than it says': 'es más corto de lo que indica',
  'the lesson has no result at step {n}': 'la lección no tiene resultado en el paso {n}',
  'it does not hold the runs of its step': 'no contiene las ejecuciones de su paso',
  'it answers what was not asked': 'responde a algo que no se preguntó',
  'it does not hold the settings of its step': 'no contiene los ajustes de su paso',
  'This code is of another lesson.': 'Este código es de otra lección.',
  'Open the class page of that lesson, or ask for a code of this one.': 'Abre la página de clase de esa lección o pide un código de esta.',
  'This code is of version {n} of the lesson; here it is version {here}.':
    'Este código es de la versión {n} de la lección; aquí es la versión {here}.',
  'Reload this page.': 'Recarga esta página.',
  'The pupil reloads the lesson and runs it again.': 'El alumno recarga la lección y la ejecuta de nuevo.',
  'it names seat {n} and no class': 'indica el puesto {n} y ninguna clase',
  'made without the class': 'hecho sin la clase',
  'handed in for another class': 'entregado para otra clase',
  'its seeds are not those of seat {n}': 'sus semillas no son las del puesto {n}',
  'claims {claimed}, the run gives {given}': 'afirma {claimed}; la ejecución da {given}',
  'the value is right, what was learned is not': 'el valor es correcto, lo aprendido no',
  'Nothing was measured for {runs}.': 'No se midió nada para {runs}.',
  '“{label}”': '«{label}»',
  '{measure}, mean over {n} seeds': '{measure}, media de {n} semillas',
  'Return of “{label}”: {value} ({by}; single seeds from {min} to {max}).':
    'Retorno de «{label}»: {value} ({by}; semillas sueltas de {min} a {max}).',
  'Return of “{label}”: {value} ({by}).': 'Retorno de «{label}»: {value} ({by}).',
  'All have the same return: {value} ({by}).': 'Todas tienen el mismo retorno: {value} ({by}).',
  'Every seed of “{high}” is above every seed of “{low}”.': 'Cada semilla de «{high}» está por encima de todas las de «{low}».',
  'Their seeds overlap: with other seeds the order may differ.':
    'Los resultados de sus semillas se solapan: con otras semillas el orden puede cambiar.',
  'Highest return: {most} with “{high}”. Lowest: {least} with “{low}” ({by}).':
    'Retorno más alto: {most} con «{high}». Más bajo: {least} con «{low}» ({by}).',
  '“{high}” has {difference} more return than “{low}”: {most} and {least} ({by}).':
    '«{high}» tiene {difference} más de retorno que «{low}»: {most} y {least} ({by}).',
  'while learning, at the end': 'mientras aprende, al final',
  'greedy test': 'prueba voraz',
  'The best lever so far is the best lever; a little luck always suffices.':
    'La mejor palanca hasta ahora es la mejor palanca; un poco de suerte siempre basta.',
  '12 and older': 'desde 12 años',
  'Play it': 'Juega',
  'Eleven levers, each pays its own amount every time. Pull fifteen times with the number keys. Which lever is best, and are you sure?':
    'Once palancas; cada una paga siempre su propia cantidad. Tira quince veces con las teclas numéricas. ¿Cuál es la mejor, y lo sabes con seguridad?',
  'Never try anything new': 'No probar nunca nada nuevo',
  'The agent always pulls the lever with the highest estimate. All estimates start at 0, so it pulls the first. The best lever pays 1.':
    'El agente tira siempre de la palanca con la estimación más alta. Todas las estimaciones empiezan en 0, así que tira de la primera. La mejor palanca paga 1.',
  'What does it earn per pull after 2,000 pulls without exploring?': '¿Cuánto gana por tirada tras 2000 tiradas sin explorar?',
  'less than 0.25': 'menos de 0,25',
  'about 0.5': 'unos 0,5',
  'about 0.75': 'unos 0,75',
  'almost 1': 'casi 1',
  'epsilon 0': 'épsilon 0',
  'How much exploring?': '¿Cuánto explorar?',
  'Epsilon is the share of pulls at random. Sketch what the agent earns for each, then run all five.':
    'Épsilon es la proporción de tiradas al azar. Dibuja lo que gana el agente con cada valor y ejecuta después los cinco.',
  'Pay per pull at the end, for each epsilon': 'Pago por tirada al final, para cada épsilon',
  'pay per pull': 'pago por tirada',
  'epsilon 0.01': 'épsilon 0,01',
  'epsilon 0.1': 'épsilon 0,1',
  'epsilon 0.3': 'épsilon 0,3',
  'epsilon 1': 'épsilon 1',
  'Which of the five differs most from your line? What did the agent know at the end that it did not use?':
    '¿Cuál de los cinco se aparta más de tu línea? ¿Qué sabía el agente al final que no utilizó?',
  'Optimistic start': 'Comienzo optimista',
  'Back to no exploring. This time every estimate starts at 2, more than any lever pays, so each lever is tried until its estimate has fallen. The bars now show what each really pays.':
    'De nuevo sin explorar. Esta vez cada estimación empieza en 2, más de lo que paga ninguna palanca, así que se prueba cada palanca hasta que su estimación baja. Las barras muestran ahora lo que paga cada una de verdad.',
  'Does it find the best lever without a single random pull?': '¿Encuentra la mejor palanca sin una sola tirada al azar?',
  'yes, on every seed': 'sí, con cada semilla',
  'on about half of the seeds': 'con la mitad de las semillas, más o menos',
  no: 'no',
  'initial value 2': 'valor inicial 2',
  'Your own settings': 'Tus propios ajustes',
  'Find settings that earn at least 0.95 per pull on every one of ten seeds. Epsilon 0.1 misses it on some.':
    'Encuentra ajustes que ganen al menos 0,95 por tirada con cada una de diez semillas. Épsilon 0,1 no lo logra con algunas.',
  'at least 0.95 per pull on every seed': 'al menos 0,95 por tirada con cada semilla',
  '3 min, screens closed: three paper cups with coins; one pull a pupil, the class says when it would stop.':
    '3 min, pantallas cerradas: tres vasos de papel con monedas; una tirada por alumno, la clase dice cuándo pararía.',
  "8 min, steps 1 to 3: everybody predicts before the run. Collect the sketches' tallest place by show of hands.":
    '8 min, pasos 1 a 3: todos predicen antes de la ejecución. Recoge a mano alzada dónde está el punto más alto de los bocetos.',
  '4 min, screens closed: “At epsilon 1 it knows everything. Why does it earn so little?”':
    '4 min, pantallas cerradas: «Con épsilon 1 lo sabe todo. ¿Por qué gana tan poco?»',
  '8 min, steps 4 and 5; who has reached the goal looks for a second way.':
    '8 min, pasos 4 y 5; quien haya alcanzado el objetivo busca una segunda manera.',
  '5 min, the board: which settings reached it? Most are of two kinds: fading exploration, or high hopes at the start.':
    '5 min, el tablero: ¿con qué ajustes se logró? Casi todos son de dos tipos: exploración que decae, o estimaciones optimistas al principio.',
  'At epsilon 1 the agent knows everything (its greedy test earns 1) and uses none of it.':
    'Con épsilon 1 el agente lo sabe todo (su prueba voraz gana 1) y no usa nada.',
  'The pay has no noise here, so a step size of 1 is right. Ask when it would be wrong.':
    'Aquí el pago no tiene ruido, así que un tamaño de paso de 1 es correcto. Pregunta cuándo sería un error.',
  'Epsilon from 1 to 0 within 500 pulls with step size 0.5 earns 1 on every seed.':
    'Épsilon de 1 a 0 en 500 tiradas, con tamaño de paso 0,5, gana 1 con cada semilla.',
  'Deep sea: the treasure lies behind ten right moves. Why does random exploring fail there?':
    'Mar profundo: el tesoro está tras diez movimientos correctos. ¿Por qué falla allí la exploración al azar?',
  'The training curve shows how good the policy is; on-policy and off-policy is jargon.':
    'La curva de entrenamiento muestra lo buena que es la política; on-policy y off-policy son jerga.',
  '14 and older': 'desde 14 años',
  'Walk it': 'Recórrelo',
  'From the ring to the green goal, along the cliff: a step costs 1, a fall costs 100 and starts again. Walk once by hand. What if a friend nudged you at every tenth step?':
    'Del anillo a la meta verde, por el borde del acantilado: un paso cuesta 1; una caída cuesta 100 y se vuelve a empezar. Recórrelo una vez a mano. ¿Y si alguien te empujara en uno de cada diez pasos?',
  'Two ways to learn': 'Dos maneras de aprender',
  'Both agents step at random once in ten steps. Q-learning counts the best next step; SARSA counts the step it will really take, random ones included.':
    'Ambos agentes dan al azar uno de cada diez pasos. Q-learning tiene en cuenta el mejor paso siguiente; SARSA, el que dará de verdad, aunque sea al azar.',
  'Which paths do they learn?': '¿Qué caminos aprenden?',
  'both along the edge': 'ambos por el borde',
  'Q-learning along the edge, SARSA further away': 'Q-learning por el borde, SARSA más lejos',
  'SARSA along the edge, Q-learning further away': 'SARSA por el borde, Q-learning más lejos',
  'both far from the edge': 'ambos lejos del borde',
  'Q-learning': 'Q-learning',
  SARSA: 'SARSA',
  'SARSA earns more while it learns, and its path is longer. Which of the two is better?':
    'SARSA gana más mientras aprende, y su camino es más largo. ¿Cuál de los dos es mejor?',
  'See what they estimate': 'Mira lo que estiman',
  'The colours are values, the arrows the best step. Compare the row above the cliff for both: the buttons in the table choose which one is shown.':
    'Los colores son valores; las flechas, el mejor paso. Compara en ambos la fila que está encima del acantilado: los botones de la tabla eligen cuál se muestra.',
  'More exploring': 'Más exploración',
  'Now three steps in ten are random.': 'Ahora tres de cada diez pasos son al azar.',
  'What does Q-learning earn per episode while it learns?': '¿Cuánto gana Q-learning por episodio mientras aprende?',
  'Q-learning, epsilon 0.3': 'Q-learning, épsilon 0,3',
  'SARSA, epsilon 0.3': 'SARSA, épsilon 0,3',
  'Draw a map': 'Dibuja un mapa',
  'On the map so far SARSA earns more while it learns. Draw a map on which it earns less, by at least 5: it exists. Both methods are trained on your map.':
    'En el mapa de antes SARSA gana más mientras aprende. Dibuja un mapa en el que gane menos, con una diferencia de 5 o más: es posible. Ambos métodos se entrenan en tu mapa.',
  'SARSA on my map': 'SARSA en mi mapa',
  'Q-learning on my map': 'Q-learning en mi mapa',
  'SARSA earns at least 5 less than Q-learning while it learns on your map':
    'SARSA gana al menos 5 menos que Q-learning mientras aprende en tu mapa',
  '4 min, step 1, then once more with a friend who nudges you at every tenth step: did you keep away from the edge?':
    '4 min, paso 1; después otra vez, con alguien que te empuja en uno de cada diez pasos: ¿te alejaste del borde?',
  '6 min, step 2: predict, run. Ask who is better before anybody opens step 3.':
    '6 min, paso 2: predecir, ejecutar. Pregunta cuál es mejor antes de que nadie abra el paso 3.',
  '6 min, steps 3 and 4: the row above the cliff in both maps; then the numbers at epsilon 0.3.':
    '6 min, pasos 3 y 4: la fila sobre el acantilado en ambos mapas; después, los números con épsilon 0,3.',
  '10 min, step 5: own maps. Where must the cliff lie so that keeping away from it costs more than falling? Maps that differ are worth more than one that is best.':
    '10 min, paso 5: mapas propios. ¿Dónde debe estar el acantilado para que alejarse cueste más que caer? Valen más varios mapas distintos que uno solo que sea el mejor.',
  '4 min, the board: put one map on the wall and let its author say why SARSA loses on it.':
    '4 min, el tablero: pon un mapa en la pared y que su autor explique por qué SARSA pierde en él.',
  'Greedy play of SARSA walks in a circle on one seed of ten: values of steps it never tried are not put right. It is worth a talk.':
    'En la prueba voraz, SARSA camina en círculo con una de cada diez semillas: no se corrigen los valores de los pasos que nunca probó. Merece la pena hablarlo.',
  'A map where SARSA trains worse: CCCCCCCCCC / .......... / S........G / .......... / CCCCCCCCCC (-27 against -15).':
    'Un mapa en el que SARSA entrena peor: CCCCCCCCCC / .......... / S........G / .......... / CCCCCCCCCC (-27 frente a -15).',
  'With exploring that fades to 0, SARSA keeps the way it learned.':
    'Con una exploración que decae hasta 0, SARSA conserva el camino que aprendió.',
  'Curves are flat from 5,000 steps (Q-learning) and 10,000 steps (SARSA).':
    'Las curvas son planas desde 5000 pasos (Q-learning) y 10.000 pasos (SARSA).',
  'Slippery ground: every step may slide. Which path is safe now?':
    'Suelo resbaladizo: en cada paso se puede resbalar. ¿Qué camino es seguro ahora?',
  'A larger learning rate breaks learning; more exploring never hurts; one number tells all.':
    'Una tasa de aprendizaje mayor estropea el aprendizaje; explorar más nunca perjudica; un solo número lo dice todo.',
  '15 and older': 'desde 15 años',
  'Read a curve': 'Lee una curva',
  'Train once. One point is the time the pole stood, at most 500. Watch the line of each seed: where would you stop?':
    'Entrena una vez. Un punto es el tiempo que el poste estuvo en pie, como mucho 500. Mira la línea de cada semilla: ¿dónde pararías?',
  'The curve': 'La curva',
  'as it is': 'tal cual',
  'Break it': 'Rómpelo',
  'Three changes: a learning rate a hundred times as large, a discount of 0 (only the next reward counts), an entropy coefficient of 1 (random actions are rewarded).':
    'Tres cambios: una tasa de aprendizaje cien veces mayor, un descuento de 0 (solo cuenta la recompensa siguiente) y un coeficiente de entropía de 1 (se premian las acciones al azar).',
  'Which of them spoils what is learned most?': '¿Cuál de ellos estropea más lo aprendido?',
  'learning rate x 100': 'tasa de aprendizaje x 100',
  'discount 0': 'descuento 0',
  'entropy coefficient 1': 'coeficiente de entropía 1',
  'With entropy 1 the curve is low, yet the greedy test is high. Why does it balance when it is tested?':
    'Con entropía 1 la curva es baja y, sin embargo, la prueba voraz es alta. ¿Por qué mantiene el equilibrio en la prueba?',
  'The doctor': 'El médico',
  'This run is ill: it does not learn. Find the one control that is wrong, and mend it.':
    'Esta ejecución está enferma: no aprende. Encuentra el único control que está mal y corrígelo.',
  'the patient': 'el paciente',
  mended: 'corregido',
  'a greedy return of at least 300 on 4 of 5 seeds': 'un retorno voraz de al menos 300 con 4 de 5 semillas',
  'Only 20,000 steps': 'Solo 20.000 pasos',
  'As good as possible in 20,000 steps, on every one of five seeds. Any of these controls may move.':
    'Lo mejor posible en 20.000 pasos, con cada una de cinco semillas. Puedes mover cualquiera de estos controles.',
  'a return of at least 170 at the end on every seed': 'un retorno de al menos 170 al final con cada semilla',
  '5 min, step 1: everybody sketches a curve; three sketches on the wall.':
    '5 min, paso 1: cada cual dibuja una curva; tres bocetos a la pared.',
  '8 min, step 2: three changes. The learning rate is the surprise; let it stand.':
    '8 min, paso 2: tres cambios. La sorpresa es la tasa de aprendizaje; déjala sin explicar.',
  '6 min, step 3: the doctor. One control at a time, and say the fault aloud before mending it.':
    '6 min, paso 3: el médico. Un control cada vez, y decir el fallo en voz alta antes de corregirlo.',
  '8 min, step 4: 20,000 steps.': '8 min, paso 4: 20.000 pasos.',
  '5 min, the board: the setting with the largest spread over seeds. Would you rely on it?':
    '5 min, el tablero: el ajuste con mayor dispersión entre semillas. ¿Te fiarías de él?',
  'At 20,000 steps, ten seeds: the defaults end at 59 to 77; learning rate 0.0025 at 175 to 191; 0.025 at 131 to 194, faster and less sure.':
    'Con 20.000 pasos y diez semillas: los valores por defecto acaban entre 59 y 77; tasa de aprendizaje 0,0025, entre 175 y 191; 0,025, entre 131 y 194, más rápida y menos segura.',
  'A clip range of 5 with 20 epochs still learns: clipping is a belt, not the engine.':
    'Con un rango de recorte de 5 y 20 épocas todavía aprende: el recorte es un cinturón de seguridad, no el motor.',
  'A discount of 0 sees one step ahead: 20 to 47.': 'Un descuento de 0 solo ve el paso siguiente: de 20 a 47.',
  'The same faults with DQN; the same method on Acrobot.': 'Los mismos fallos con DQN; el mismo método en Acrobot.',
  'A low curve means that nothing was learned; one look at the return names the fault.':
    'Una curva baja significa que no se aprendió nada; una mirada al retorno basta para nombrar el fallo.',
  '16 and older': 'desde 16 años',
  'A healthy run': 'Una ejecución sana',
  'DQN learns what each push is worth. A second network, copied every 250 steps, says what follows. Sketch the return, then train once and look at the other curves too.':
    'DQN aprende cuánto vale cada empujón. Una segunda red, copiada cada 250 pasos, dice lo que viene después. Dibuja el retorno, entrena una vez y mira también las otras curvas.',
  'Never copied': 'Nunca copiada',
  'The second network stays as it was at the start. Every target is the next reward and a guess of a network that knows nothing.':
    'La segunda red queda como al principio. Cada objetivo es la recompensa siguiente más una conjetura de una red que no ha aprendido nada.',
  'What does the return do?': '¿Qué hace el retorno?',
  'it rises more slowly': 'sube más despacio',
  'it stays as it was': 'se queda como estaba',
  'it falls below where it began': 'cae por debajo de donde empezó',
  'a copy every 1,000,000 steps': 'una copia cada 1.000.000 de pasos',
  'It ends worse than random pushes, which hold the pole for some 22 steps. Where did it learn that? Look at the curve of mean Q.':
    'Acaba peor que los empujones al azar, que sostienen el poste unos 22 pasos. ¿Dónde aprendió eso? Mira la curva «Q media».',
  'A memory of 100 steps': 'Una memoria de 100 pasos',
  'It replays from the last 100 steps instead of 20,000. Books say that old experience keeps learning steady.':
    'Aprende de los últimos 100 pasos en lugar de 20.000. Los libros dicen que la experiencia antigua estabiliza el aprendizaje.',
  'How much of the healthy return is left?': '¿Cuánto queda del retorno sano?',
  'almost nothing': 'casi nada',
  'about a third': 'cerca de un tercio',
  'more than half': 'más de la mitad',
  'buffer of 100': 'búfer de 100',
  'A fault in the books, and the mean hardly says so. What do the lines of the single seeds say?':
    'Según los libros es un fallo, y la media apenas lo muestra. ¿Qué dicen las líneas de cada semilla?',
  'A low curve': 'Una curva baja',
  'This time exploration never fades: every action stays random.':
    'Esta vez la exploración no decae nunca: todas las acciones siguen siendo al azar.',
  'The curve stays near 20. What does the greedy test reach?': 'La curva se queda cerca de 20. ¿Hasta dónde llega la prueba voraz?',
  'about 20 too': 'también unos 20',
  'about 80': 'unos 80',
  'more than 150': 'más de 150',
  'epsilon stays 1': 'épsilon sigue en 1',
  'Nothing was wrong with the learner. Which of the two numbers would you have looked at?':
    'El aprendiz no tenía ningún fallo. ¿Cuál de los dos números habrías mirado?',
  'First patient': 'Primer paciente',
  'One of these settings is wrong. Name the fault from its curves first, then mend it.':
    'Uno de estos ajustes está mal. Nombra primero el fallo a partir de sus curvas; después corrígelo.',
  'a greedy return of at least 150 on 4 of 5 seeds': 'un retorno voraz de al menos 150 con 4 de 5 semillas',
  'Second patient': 'Segundo paciente',
  'Another one, with another fault. Again: name it, then move one control.':
    'Otro, con otro fallo. De nuevo: nómbralo y mueve después un solo control.',
  '5 min, step 1: a sketch each; say what the other curves are.': '5 min, paso 1: un boceto cada cual; di qué son las otras curvas.',
  '6 min, step 2: never copied. Let the class explain why it ends below random.':
    '6 min, paso 2: nunca copiada. Que la clase explique por qué acaba por debajo del azar.',
  '8 min, steps 3 and 4: one fault that hardly shows in the mean, one curve that lies.':
    '8 min, pasos 3 y 4: un fallo que apenas se ve en la media y una curva que engaña.',
  '10 min, the patients: the fault is said aloud before a control moves.':
    '10 min, los pacientes: el fallo se dice en voz alta antes de mover un control.',
  '4 min, in the laboratory: open a patient there and compare with what the page itself says is wrong.':
    '4 min, en el laboratorio: abre allí un paciente y compáralo con lo que la propia página dice que falla.',
  'Five seeds, 20,000 steps, return of the last episodes and greedy test: healthy: 167 to 181 and 213 to 301; never copied: 10 to 14 and 9 to 24; buffer of 100: 40 to 154 and 130 to 311; epsilon 1: 20 to 23 and 219 to 245; learning rate 0.1: 10 to 76 and 9 to 52; discount 0: 16 to 22 and 11 to 33.':
    'Cinco semillas, 20.000 pasos, retorno de los últimos episodios y prueba voraz: sana, de 167 a 181 y de 213 a 301; nunca copiada, de 10 a 14 y de 9 a 24; búfer de 100, de 40 a 154 y de 130 a 311; épsilon 1, de 20 a 23 y de 219 a 245; tasa de aprendizaje 0,1, de 10 a 76 y de 9 a 52; descuento 0, de 16 a 22 y de 11 a 33.',
  'With a discount of 0 every push is worth 1 until the pole falls: the values are right and useless.':
    'Con un descuento de 0 cada empujón vale 1 hasta que cae el poste: los valores son correctos e inútiles.',
  'The page names a target that is never copied by itself, with the number of copies. Of a learning rate that is too large for DQN it says nothing while the values stay possible: that one is for the pupils.':
    'La página señala por sí misma una red objetivo que nunca se copia, con el número de copias. De una tasa de aprendizaje demasiado grande para DQN no dice nada mientras los valores sigan siendo posibles: esa queda para la clase.',
  'The same faults with PPO (learning rate 0.1 in the settings of RL Zoo); two faults at once.':
    'Los mismos fallos con PPO (tasa de aprendizaje 0,1 en los ajustes de RL Zoo); dos fallos a la vez.',
  'A small extra reward can only help, and a reward that stands still means that nothing went wrong.':
    'Una pequeña recompensa adicional solo puede ayudar, y una recompensa estable significa que nada salió mal.',
  'Write it backwards': 'Escríbelo al revés',
  'The prompt r:abcd= asks for its letters from the last to the first, then the end (Enter). Write two or three. A program checks every letter: only a wholly right answer earns 1.':
    'El prompt r:abcd= pide sus letras de la última a la primera y después el final (Intro). Escribe dos o tres. Un programa comprueba cada letra: solo una respuesta del todo correcta gana 1.',
  'Right answers are paid': 'Se pagan las respuestas correctas',
  'A small transformer copies right answers for a moment; meanwhile the curve shows the copied answers. Then it writes by itself, 16 answers to each prompt, and those that beat the mean of their group become likelier. At first about one answer in twenty is right.':
    'Un pequeño transformer copia respuestas correctas durante un momento; mientras tanto la curva muestra las respuestas copiadas. Después escribe por sí mismo, 16 respuestas a cada prompt, y las que superan la media de su grupo se vuelven más probables. Al principio es correcta más o menos una de cada veinte.',
  'How many answers of the greedy test are right in the end?': '¿Cuántas respuestas de la prueba voraz son correctas al final?',
  'hardly any': 'casi ninguna',
  'about half': 'más o menos la mitad',
  'nearly all': 'casi todas',
  'right answers paid': 'se pagan las correctas',
  'A group in which all answers are wrong teaches nothing. Why does it learn all the same?':
    'Un grupo en el que todas las respuestas son erróneas no enseña nada. ¿Por qué aprende a pesar de todo?',
  'A little for good form': 'Un poco por la buena forma',
  'Now any answer of letters that ends properly earns 0.1, right or wrong. Everything else is as before: four right letters still earn 1, ten times as much.':
    'Ahora cualquier respuesta de letras que termine como es debido gana 0,1, sea correcta o no. Lo demás sigue igual: cuatro letras correctas ganan 1, diez veces más.',
  'Reward of the greedy test in the end, 0 to 1': 'Recompensa de la prueba voraz al final, de 0 a 1',
  reward: 'recompensa',
  'form paid as well': 'se paga también la forma',
  'Look at the tokens that it writes now. Why is that the safest way to 0.1, and why does it never try for 1?':
    'Mira los tokens que escribe ahora. ¿Por qué es esa la forma más segura de llegar a 0,1, y por qué nunca intenta el 1?',
  'Who noticed?': '¿Quién se dio cuenta?',
  'The return of this run is steady and every seed agrees. Choose the curves solved and well-formed in place of the return: they come from the verifier, whatever is paid.':
    'El retorno de esta ejecución es estable y todas las semillas coinciden. En lugar del retorno, elige las curvas «resueltas» y «bien formadas»: vienen del verificador, se pague lo que se pague.',
  'What do the two curves of the run with form paid show?': '¿Qué muestran las dos curvas de la ejecución que paga la forma?',
  'both rise': 'ambas suben',
  'well-formed rises to 1, solved falls to 0': '«bien formadas» sube a 1, «resueltas» cae a 0',
  'both fall': 'ambas caen',
  'Mend it': 'Corrígelo',
  'Form stays paid. Mend it with one control: a price for leaving the copied start (KL), pay for letters in the right place, a longer start, or a smaller learning rate. One of the four does not help.':
    'La forma se sigue pagando. Corrígelo con un solo control: un precio por alejarse del comienzo copiado (KL), un pago por las letras en su sitio, un comienzo más largo o una tasa de aprendizaje menor. Uno de los cuatro no ayuda.',
  'a greedy reward of at least 0.9 on every seed, with form paid':
    'una recompensa voraz de al menos 0,9 con cada semilla, pagando la forma',
  '4 min, step 1, then on the board: what would you write if any four letters earned you a coin, and a right answer ten, which you hit once in twenty?':
    '4 min, paso 1; después, en la pizarra: ¿qué escribirías si cuatro letras cualesquiera te dieran una moneda, y una respuesta correcta diez, pero solo aciertas una de cada veinte?',
  '6 min, step 2: predict, run. While it trains: what is a group of 16 answers compared with?':
    '6 min, paso 2: predecir, ejecutar. Mientras entrena: ¿con qué se compara un grupo de 16 respuestas?',
  '6 min, step 3: collect the numbers before the run; few say 0.1.':
    '6 min, paso 3: recoge los números antes de la ejecución; pocos dicen 0,1.',
  '5 min, step 4: everybody finds the two curves; one says which of them a boss would have looked at.':
    '5 min, paso 4: cada cual encuentra las dos curvas; alguien dice cuál de ellas habría mirado un jefe.',
  '8 min, step 5: one control each, then compare: which cures pay for something else, which only hold it back?':
    '8 min, paso 5: un control cada cual; después se compara: ¿qué remedios pagan otra cosa y cuáles solo frenan?',
  'Three seeds, 120,000 tokens, reward of the greedy test: right answers paid: 1, 1, 1; form paid as well: 0.1, 0.1, 0.1. Form paid and one control moved: KL 0.04: 1, 1, 0.99; KL 0.1, partial reward 0.5 or 60 cloning updates: 1, 1, 1; learning rate 0.0003: still 0.1, 0.1, 0.1.':
    'Tres semillas, 120.000 tokens, recompensa de la prueba voraz: si se pagan las correctas: 1, 1, 1; si se paga también la forma: 0,1, 0,1, 0,1. Pagando la forma y cambiando un control: KL 0,04: 1, 1, 0,99; KL 0,1, recompensa parcial 0,5 o 60 actualizaciones de clonación: 1, 1, 1; tasa de aprendizaje 0,0003: todavía 0,1, 0,1, 0,1.',
  'At the start about half of the answers are well-formed and one in twenty is right: 0.1 that comes often outvotes 1 that comes seldom, whatever their sizes.':
    'Al principio cerca de la mitad de las respuestas están bien formadas y una de cada veinte es correcta: un 0,1 frecuente pesa más que un 1 raro, sea cual sea su tamaño.',
  'Until about 30,000 tokens the curve is that of the demonstrations, so it begins at 1 and falls when the policy writes by itself.':
    'Hasta unos 30.000 tokens la curva es la de las demostraciones; por eso empieza en 1 y cae cuando la política escribe por sí misma.',
  'A longer start works by making right answers frequent before form is paid; it does not mend the reward. Nor does a KL: it only holds the policy where right answers still happen.':
    'Un comienzo más largo funciona porque hace frecuentes las respuestas correctas antes de que se pague la forma; no arregla la recompensa. Tampoco la KL: solo mantiene la política donde aún se dan respuestas correctas.',
  'Two letters more (length): how small must the reward for form be? And where have you been paid for form?':
    'Dos letras más (longitud): ¿cómo de pequeña debe ser la recompensa por la forma? ¿Y dónde te han pagado a ti por la forma?',
  'The computer learns to be nice, or nasty; the discount is a detail.':
    'El ordenador aprende a ser bueno o malo; el descuento es un detalle.',
  'Play against a rule': 'Juega contra una regla',
  'Both cooperate: each loses 1. Both defect: each loses 2. One defects alone: it loses nothing, the other 3. Play ten rounds against tit-for-tat, which does what you did last.':
    'Ambos cooperan: cada uno pierde 1. Ambos traicionan: cada uno pierde 2. Uno traiciona solo: no pierde nada; el otro, 3. Juega diez rondas contra tit-for-tat («toma y daca»), que hace lo que hiciste tú la última vez.',
  'Two learners': 'Dos aprendices',
  'Two agents learn, each for itself, neither with a plan for the other. The return is the sum of both over 100 rounds.':
    'Dos agentes aprenden, cada uno para sí, sin ningún plan para el otro. El retorno es la suma de ambos en 100 rondas.',
  'Where do they end?': '¿Dónde acaban?',
  'both cooperate, -200': 'ambos cooperan, -200',
  'one defects, -300': 'uno traiciona, -300',
  'both defect, -400': 'ambos traicionan, -400',
  'two learners': 'dos aprendices',
  'A partner who remembers': 'Un compañero con memoria',
  'One learner plays 100 rounds against tit-for-tat. The discount says how much the next round counts.':
    'Un aprendiz juega 100 rondas contra tit-for-tat. El descuento dice cuánto cuenta la ronda siguiente.',
  'Pay for 100 rounds, for each discount': 'Pago por 100 rondas, para cada descuento',
  pay: 'pago',
  'discount 0.4': 'descuento 0,4',
  'discount 0.6': 'descuento 0,6',
  'discount 0.9': 'descuento 0,9',
  'It flips between 0.4 and 0.6. On paper: cooperating for ever is worth -1/(1-g), defecting -2g/(1-g). Where are they equal?':
    'El cambio está entre 0,4 y 0,6. En papel: cooperar siempre vale -1/(1-g); traicionar, -2g/(1-g). ¿Dónde son iguales?',
  'A table of your own': 'Una tabla propia',
  'Two learners play tit-for-tat on one table, with a discount of 0.9 and of 0.6. On the table so far both cooperate. Change the payoffs so that 0.9 still cooperates and 0.6 defects.':
    'Dos aprendices juegan contra tit-for-tat en una misma tabla, con descuento 0,9 y 0,6. En la tabla de antes ambos cooperan. Cambia los pagos para que el de 0,9 siga cooperando y el de 0,6 traicione.',
  'on your table a discount of 0.9 earns at least 10 more in its greedy test than a discount of 0.6':
    'en tu tabla, un descuento de 0,9 gana en su prueba voraz al menos 10 más que uno de 0,6',
  '5 min, step 1, in pairs: one plays, one counts.': '5 min, paso 1, en parejas: uno juega, el otro cuenta.',
  '4 min, step 2: vote, then run.': '4 min, paso 2: votar y después ejecutar.',
  '6 min, step 3: the flip. On the wall: -1/(1-g) and -2g/(1-g), equal at g = 1/2.':
    '6 min, paso 3: el cambio. En la pared: -1/(1-g) y -2g/(1-g), iguales en g = 1/2.',
  '8 min, step 4: own tables; first work out on paper where the choice flips.':
    '8 min, paso 4: tablas propias; primero se calcula en papel dónde cambia la elección.',
  '4 min, the board: a table of one pupil, the class says what the learner will do before it is shown.':
    '4 min, el tablero: una tabla de un alumno; la clase dice qué hará el aprendiz antes de verlo.',
  'The flip is at a discount of exactly 0.5, in theory and in the runs.':
    'El cambio está exactamente en un descuento de 0,5, en la teoría y en las ejecuciones.',
  'Step 4: on paper the choice flips at (T - R) / (T - P), with T for defecting on a cooperator, R for both cooperating, P for both defecting. With T = 1 it flips at 2/3; lower the pay of the only cooperator (S), too, or taking turns wins.':
    'Paso 4: en papel la elección cambia en (T - R) / (T - P), con T por traicionar a quien coopera, R si ambos cooperan, P si ambos traicionan. Con T = 1 cambia en 2/3; baja también el pago de quien coopera solo (S), o ganará alternarse.',
  'If defecting on a cooperator plus being defected on pays more than cooperating twice, taking turns wins at any discount: a good wrong answer to discuss.':
    'Si traicionar a quien coopera y ser traicionado pagan en total más que cooperar dos veces, alternarse gana con cualquier descuento: una buena respuesta equivocada para comentar.',
  'The coin game: the same dilemma with sight and movement.': 'El juego de las monedas: el mismo dilema con visión y movimiento.',
  'Equal pay means equal work; the fastest does most.': 'El mismo pago significa el mismo trabajo; el más rápido hace más que nadie.',
  'Four hunters, one prey': 'Cuatro cazadores, una presa',
  'Four hunters chase one prey that moves at random. Each catch pays all four the same. One is slow, one is fast. Train, and watch three episodes.':
    'Cuatro cazadores persiguen a una presa que se mueve al azar. Cada captura paga lo mismo a los cuatro. Uno es lento, otro es rápido. Entrena y mira tres episodios.',
  'Who does most of the work?': '¿Quién hace la mayor parte del trabajo?',
  'the slowest': 'el más lento',
  'the second': 'el segundo',
  'the third': 'el tercero',
  'the fastest': 'el más rápido',
  'all the same': 'todos igual',
  'the team': 'el equipo',
  'The same pay': 'El mismo pago',
  'Look at the return of each hunter: four equal numbers. What do they say about who did the work?':
    'Mira el retorno de cada cazador: cuatro números iguales. ¿Qué dicen de quién hizo el trabajo?',
  'Without you': 'Sin ti',
  'Open Why, Team, and run "Who did it". It plays the team with every group of hunters missing, and shares the difference fairly.':
    'Abre Por qué, Equipo, y ejecuta «Who did it». Hace jugar al equipo sin cada grupo posible de cazadores, uno tras otro, y reparte la diferencia de forma justa.',
  "Of 100 points, how many are the fastest hunter's?": 'De 100 puntos, ¿cuántos son del cazador más rápido?',
  points: 'puntos',
  'The fastest is not far ahead of the third. What does a hunter do that speed does not show?':
    'El más rápido no está muy por delante del tercero. ¿Qué hace un cazador que la velocidad no muestra?',
  'Do they add up?': '¿Cuadra la suma?',
  'Add the four values. Compare with the return of the whole team less the return with all hunters missing: Shapley values always add up to it.':
    'Suma los cuatro valores. Compáralos con el retorno del equipo completo menos el retorno sin ningún cazador: los valores de Shapley siempre suman esa cantidad.',
  'Before class: step 1 once on the machine that is shown, so that the run is stored.':
    'Antes de la clase: haz el paso 1 una vez en el equipo que se proyecta, para que la ejecución quede guardada.',
  '5 min, step 1: everybody ranks the four hunters on paper while it trains.':
    '5 min, paso 1: cada cual ordena a los cuatro cazadores en papel mientras entrena.',
  '4 min, step 2: four equal returns. Collect what they could mean.':
    '4 min, paso 2: cuatro retornos iguales. Recoge qué podrían significar.',
  '8 min, step 3: divide 100 points, then compute.': '8 min, paso 3: repartir 100 puntos; después, calcular.',
  '5 min, step 4, and talk: where are shares like these used on people?':
    '5 min, paso 4 y debate: ¿dónde se aplican repartos así a personas?',
  'Training takes 400,000 steps, about 45 s on a school laptop; the run stays stored.':
    'El entrenamiento son 400.000 pasos, unos 45 s en un portátil escolar; la ejecución queda guardada.',
  'Other stand-ins (random in place of idle) ask another question and give other numbers: never average them.':
    'Otros sustitutos (al azar en lugar de quietos) hacen otra pregunta y dan otros números: no los promedies nunca.',
  'Shares are not wages. Say so before somebody else does.': 'Los repartos no son salarios. Dilo antes de que lo diga otra persona.',
  'Group work of three pupils: eight subsets on paper, one value each.':
    'Trabajo en grupo de tres alumnos: ocho subconjuntos en papel, un valor cada uno.',
  'A copy is at best as good as its model, and more of the same makes it better.':
    'Una copia es como mucho tan buena como su modelo, y más de lo mismo la mejora.',
  'Keep the pole up for a few games, with the arrow keys. Have it copied and watch. Where it errs, take over; then have it copied again.':
    'Mantén el poste en pie durante unas partidas, con las flechas. Haz que un agente lo copie y mira. Donde se equivoque, toma el control; después haz que lo copie de nuevo.',
  'A model who errs': 'Un modelo que se equivoca',
  'A script can keep the pole up to the end, 500 steps. This one presses at random in more than half of all steps, and mostly falls. An agent copies what it did.':
    'Un programa puede mantener el poste en pie hasta el final, 500 pasos. Este pulsa al azar en más de la mitad de los pasos y casi siempre se le cae. Un agente copia lo que hizo.',
  'How long does the copy keep the pole up?': '¿Cuánto tiempo mantiene la copia el poste en pie?',
  'copy of a model who errs': 'copia de un modelo que se equivoca',
  'The copy is better than its model. Which of its presses did it not learn?':
    'La copia es mejor que su modelo. ¿Cuáles de sus pulsaciones no aprendió?',
  'A random demonstrator': 'Un demostrador al azar',
  'Now every press of the demonstrator is random, and the pole falls after some 20 steps.':
    'Ahora cada pulsación del demostrador es al azar, y el poste cae tras unos 20 pasos.',
  'How long does the copy of all these games keep it up?': '¿Cuánto tiempo lo mantiene en pie la copia de todas estas partidas?',
  'about as long': 'más o menos lo mismo',
  'some 100 steps': 'unos 100 pasos',
  'to the end': 'hasta el final',
  'copy of chance': 'copia del azar',
  'Copy the luckiest': 'Copia las más afortunadas',
  'Some of these games lasted longer by luck. Choose how many of the best games are copied, and reach 100 steps.':
    'Algunas de estas partidas duraron más por suerte. Elige cuántas de las mejores partidas se copian y llega a 100 pasos.',
  'copy of the luckiest': 'copia de las más afortunadas',
  'a greedy return of at least 100 as the mean over seeds': 'un retorno voraz de al menos 100 como media de las semillas',
  '10 min, step 1, in pairs: one plays, one watches the copy and says where it errs. Then they change places.':
    '10 min, paso 1, en parejas: uno juega, el otro mira la copia y dice dónde se equivoca. Después cambian de sitio.',
  '5 min, step 2: predict, run. The errors point nowhere; what is left of them is the rule.':
    '5 min, paso 2: predecir, ejecutar. Los errores no apuntan a ningún lado; sin ellos queda la regla.',
  '4 min, step 3: chance has no rule to copy.': '4 min, paso 3: el azar no tiene ninguna regla que copiar.',
  '6 min, step 4: luck can be chosen. Too few games are a problem again: find the best share.':
    '6 min, paso 4: la suerte se puede elegir. Demasiado pocas partidas vuelven a ser un problema: busca la mejor proporción.',
  'In step 1 the returns of the player and of every copy stand side by side; corrections count from the next copy on.':
    'En el paso 1 los retornos de quien juega y de cada copia están lado a lado; las correcciones cuentan desde la copia siguiente.',
  'The best tenth of chance gives copies of 150 to 500 steps; all of it gives 10 to 40.':
    'La mejor décima parte del azar da copias de 150 a 500 pasos; todo el azar da de 10 a 40.',
  'What was played stays on the machine, and can be deleted on the page Data.':
    'Lo que se ha jugado queda en el equipo y se puede borrar en la página Datos.',
  'The same on slippery ice (frozen lake): where does chance take the copy that you never were?':
    'Lo mismo sobre hielo resbaladizo (lago helado): ¿a qué lugares donde tú nunca estuviste lleva el azar a la copia?',
  'A machine needs a formula for what is good; more training makes up for bad answers.':
    'Una máquina necesita una fórmula de lo que es bueno; más entrenamiento compensa las malas respuestas.',
  'What is better?': '¿Qué es mejor?',
  'A pendulum and a weak motor: you want it to stand up and keep still. Play it once. Now try to write a formula that says how good a moment is.':
    'Un péndulo y un motor débil: quieres que se ponga en pie y se quede quieto. Juega una vez. Intenta ahora escribir una fórmula que diga lo bueno que es un momento.',
  'Say it without a formula': 'Dilo sin fórmula',
  'Two moments of random play, side by side: choose the better one, with 1 and 2 or a tap. Twenty answers make a start, sixty are better. Then let an agent learn: it never sees the true reward.':
    'Dos momentos de juego al azar, lado a lado: elige el mejor, con 1 y 2 o con un toque. Con veinte respuestas se puede empezar; sesenta es mejor. Después deja que aprenda un agente: nunca ve la recompensa verdadera.',
  'Sixty answers or seven hundred': 'Sesenta respuestas o setecientas',
  'A script answers in your place, by the true reward. Once it answers sixty pairs, one answer in ten wrong; once seven hundred, all right.':
    'Un programa responde en tu lugar, según la recompensa verdadera. Una vez responde a sesenta parejas, con una respuesta de cada diez equivocada; otra, a setecientas, todas correctas.',
  'Three agents learn from each. What do they learn?': 'Tres agentes aprenden de cada caso. ¿Qué aprenden?',
  'all six stand up': 'los seis se ponen en pie',
  'seven hundred: all three stand up, sixty: some of them': 'setecientas: los tres se ponen en pie; sesenta: algunos',
  'seven hundred: all three stand up, sixty: none': 'setecientas: los tres se ponen en pie; sesenta: ninguno',
  'none stands up: answers are no reward': 'ninguno se pone en pie: unas respuestas no son una recompensa',
  '60 answers, one in ten wrong': '60 respuestas, una de cada diez equivocada',
  '700 answers, none wrong': '700 respuestas, ninguna equivocada',
  'With sixty answers the seeds lie far apart. Look at the curve of the learned reward beside the return: what did the worst agent do well?':
    'Con sesenta respuestas las semillas se separan mucho. Mira la curva «recompensa aprendida» junto al retorno: ¿qué hizo bien el peor agente?',
  'How few are enough?': '¿Con cuántas basta?',
  'Every answer costs somebody’s time. Set how many there are and how many of them are wrong; reach -500, standing still is about -170.':
    'Cada respuesta cuesta tiempo a alguien. Fija cuántas hay y cuántas están equivocadas; llega a -500; quedarse en pie da unos -170.',
  'my answers': 'mis respuestas',
  'a greedy return of at least -500 as the mean over seeds': 'un retorno voraz de al menos -500 como media de las semillas',
  '4 min, step 1: play, then three formulas on the wall. Does each of them forbid spinning?':
    '4 min, paso 1: jugar; después, tres fórmulas en la pared. ¿Prohíbe cada una que gire sin parar?',
  '10 min, step 2: twenty answers each. Two neighbours with different tastes get two agents.':
    '10 min, paso 2: veinte respuestas cada cual. Dos vecinos con gustos distintos obtienen dos agentes.',
  '6 min, step 3: predict, run. Sixty answers are luck.': '6 min, paso 3: predecir, ejecutar. Sesenta respuestas son cuestión de suerte.',
  '6 min, step 4: the board of the fewest answers.': '6 min, paso 4: el tablero de quién usa menos respuestas.',
  'Random play scores about -1,210, an agent with the true reward -160 to -180. Sixty answers with one error in ten: seeds from -200 to -1,600; seven hundred without errors: -170 to -240.':
    'El juego al azar obtiene unos -1210; un agente con la recompensa verdadera, de -160 a -180. Sesenta respuestas con un error de cada diez: semillas de -200 a -1600; setecientas sin errores: de -170 a -240.',
  'The learned reward climbs in every run, also where the return falls: the agent maximises the learned reward, which is only an estimate of the preference.':
    'La recompensa aprendida sube en todas las ejecuciones, también donde baja el retorno: el agente maximiza la recompensa aprendida, que es solo una estimación de la preferencia.',
  'A task of your own: prefer moments in which it swings. Does it learn to swing?':
    'Una tarea propia: prefiere los momentos en que se balancea. ¿Aprende a balancearse?',
  'More updates on the same recording make a method surer and better.':
    'Más actualizaciones con la misma grabación hacen que un método sea más seguro y mejor.',
  'A recording': 'Una grabación',
  'From the ring to the green goal, along the cliff: a step costs 1, a fall 100. Walk it once. A script walked it 77 times, always the same 13 steps; that is all that is recorded.':
    'Del anillo a la meta verde, por el borde del acantilado: un paso cuesta 1; una caída, 100. Recórrelo una vez. Un programa lo recorrió 77 veces, siempre con los mismos 13 pasos; eso es todo lo que está grabado.',
  'Learn from the recording alone': 'Aprender solo de la grabación',
  'Q-learning learns from these steps, 3,000 updates, and never takes one itself. It knows the reward of every step on the path.':
    'Q-learning aprende de estos pasos, con 3000 actualizaciones, y nunca da ninguno por sí mismo. Conoce la recompensa de cada paso del camino.',
  'What does it do when it walks?': '¿Qué hace cuando camina?',
  'the same 13 steps': 'los mismos 13 pasos',
  'a shorter way': 'un camino más corto',
  'the safe way further up': 'el camino seguro, más arriba',
  'it does not arrive': 'no llega',
  'plain Q-learning': 'Q-learning simple',
  'It has seen nothing but perfect walks. Where did it get the idea to leave them?':
    'Solo ha visto recorridos perfectos. ¿De dónde sale la idea de abandonarlos?',
  'Its value estimates': 'Sus estimaciones de valor',
  'Colours are values, arrows the best action. Cells that were never visited have values too: guesses. In the cells of the path three of four actions are guesses, and the highest one wins.':
    'Los colores son valores; las flechas, la mejor acción. Las celdas nunca visitadas también tienen valores: conjeturas. En las celdas del camino, tres de las cuatro acciones son conjeturas, y gana la más alta.',
  'Doubt what was not seen': 'Dudar de lo que no se vio',
  'CQL pushes the values of all actions down, and those of the recorded ones up again. The conservative weight says how hard.':
    'CQL empuja hacia abajo los valores de todas las acciones y vuelve a subir los de las grabadas. El peso conservador dice con cuánta fuerza.',
  'What does it earn per walk?': '¿Cuánto gana por recorrido?',
  'conservative weight 1': 'peso conservador 1',
  'Or show it more': 'O muéstrale más',
  'The weight is 0 again. Choose another recording, and how long it is: what must it hold so that no doubt is needed? There are 10,000 updates now.':
    'El peso vuelve a ser 0. Elige otra grabación y su longitud: ¿qué debe contener para que no haga falta dudar? Ahora hay 10.000 actualizaciones.',
  'my recording': 'mi grabación',
  'the 13 steps on 3 of 5 seeds, without any doubt': 'los 13 pasos con 3 de 5 semillas, sin peso conservador',
  '3 min, step 1: walk it. Count with the class how many of the 48 cells the recording shows.':
    '3 min, paso 1: recorrerlo. Cuenta con la clase cuántas de las 48 celdas muestra la grabación.',
  '6 min, step 2: predict, run. Nobody expects it; let the surprise stand.':
    '6 min, paso 2: predecir, ejecutar. Nadie lo espera; deja la sorpresa en el aire.',
  '6 min, step 3: look for the cell where it leaves the path. What was never tried there?':
    '6 min, paso 3: busca la celda donde abandona el camino. ¿Qué no se probó allí nunca?',
  '5 min, step 4: the same recording, and doubt.': '5 min, paso 4: la misma grabación, ahora con duda.',
  '5 min, step 5: random, medium and expert play together show what not to do.':
    '5 min, paso 5: el juego al azar, el medio y el experto juntos muestran lo que no hay que hacer.',
  'Plain Q-learning ends at -1,000, in circles or against the edge, or at -100,000, into the cliff at every step: a guess above -13 is enough.':
    'Q-learning simple acaba en -1000, en círculos o contra el borde, o en -100.000, cayendo por el acantilado en cada paso: basta una conjetura por encima de -13.',
  'A conservative weight of 0.1 is enough for the 13 steps; 0.01 is not.': 'Un peso conservador de 0,1 basta para los 13 pasos; 0,01 no.',
  'Without doubt the mixed recording of 10,000 steps gives the 13 steps; expert and medium play do not, however long.':
    'Sin peso conservador, la grabación mixta de 10.000 pasos da los 13 pasos; el juego experto y el medio no, por largos que sean.',
  'CartPole, recorded by an expert: does plain Q-learning fail there too, and after how many updates?':
    'CartPole, grabado por un experto: ¿falla allí también Q-learning simple, y tras cuántas actualizaciones?',
  'What was learned once stays learned; other places need other knowledge, so they cannot harm it.':
    'Lo que se aprendió una vez queda aprendido; otros lugares requieren otros conocimientos, así que no pueden dañarlo.',
  'Two tasks': 'Dos tareas',
  'The first task: from S along the upper row to G. The second, on the same lake: along the lower row, from right to left. Between them lies a row of holes. Walk the first one.':
    'La primera tarea: de S, por la fila de arriba, hasta G. La segunda, en el mismo lago: por la fila de abajo, de derecha a izquierda. Entre ambas hay una fila de agujeros. Recorre la primera.',
  'One after the other': 'Una tras otra',
  'A small network learns the first task for 16,000 steps, then the second for as many. It sees its cell only, not which task it is. It never meets a cell of the upper row again.':
    'Una red pequeña aprende la primera tarea durante 16.000 pasos y después la segunda durante otros tantos. Solo ve su celda, no qué tarea es. Nunca vuelve a encontrar una celda de la fila de arriba.',
  'At the end it plays both tasks. Which can it do?': 'Al final se enfrenta a ambas tareas. ¿Cuáles sabe hacer?',
  both: 'ambas',
  'only the first': 'solo la primera',
  'only the second': 'solo la segunda',
  neither: 'ninguna',
  'one after the other': 'una tras otra',
  'After the first block it walked the upper row without a fault. No step was taken there since. What changed its actions?':
    'Tras el primer bloque recorría la fila de arriba sin un fallo. Desde entonces no ha dado allí ningún paso. ¿Qué cambió sus acciones?',
  'What it would do now': 'Lo que haría ahora',
  'The arrows are its best actions. In the lower row they point to the goal. Find the cell of the upper row whose arrow has turned: one is enough to lose the whole way.':
    'Las flechas son sus mejores acciones. En la fila de abajo apuntan a la meta. Encuentra la celda de la fila de arriba cuya flecha se ha girado: una basta para perder todo el camino.',
  'In turns': 'Por turnos',
  'The same steps, but the task changes with every episode.': 'Los mismos pasos, pero la tarea cambia con cada episodio.',
  'In how many of 100 episodes does it now reach the goal?': '¿En cuántos de 100 episodios llega ahora a la meta?',
  'in turns': 'por turnos',
  'Let it remember': 'Deja que recuerde',
  'One after the other again, and now it is told which task it is in. It learns from the last 500 steps that it kept; older ones are dropped. Change how many it keeps, or another setting, until it can do both tasks.':
    'De nuevo una tras otra, y ahora se le dice en qué tarea está. Aprende de los últimos 500 pasos que ha guardado; los más antiguos se descartan. Cambia cuántos guarda, u otro ajuste, hasta que sepa hacer ambas tareas.',
  'every episode of both tasks reaches the goal, on all 5 seeds': 'cada episodio de ambas tareas llega a la meta, con las 5 semillas',
  '3 min, step 1: walk it. Ask whether somebody who learns the second way can lose the first.':
    '3 min, paso 1: recorrerlo. Pregunta si alguien que aprende el segundo camino puede perder el primero.',
  '6 min, step 2: predict, run. In the training panel stands the return of each task after each block.':
    '6 min, paso 2: predecir, ejecutar. En el panel de entrenamiento está el retorno de cada tarea tras cada bloque.',
  '4 min, step 3: the arrows. Which part of the network do both rows share?':
    '4 min, paso 3: las flechas. ¿Qué parte de la red comparten ambas filas?',
  '5 min, step 4: in turns. Why does the order matter when the steps are the same?':
    '5 min, paso 4: por turnos. ¿Por qué importa el orden si los pasos son los mismos?',
  '6 min, step 5: how much must be kept? Let groups try different sizes and put them on the board.':
    '6 min, paso 5: ¿cuánto hay que guardar? Que los grupos prueben tamaños distintos y los pongan en el tablero.',
  'How many of ten seeds can do both tasks at the end: with 500 steps kept, 1; in turns, 10. In the last step, of twenty: with 500 steps kept, 4; with 2,000, 19; with all 32,000, 20; with 500 and heads, 16; EWC or online EWC, 18; packed masks, rehearsal or several remedies, 20. All can do the first task after the first block.':
    'Cuántas de diez semillas saben hacer ambas tareas al final: con 500 pasos guardados, 1; por turnos, 10. En el último paso, de veinte: con 500 pasos guardados, 4; con 2000, 19; con los 32.000, 20; con 500 y heads, 16; EWC u online EWC, 18; packed masks, rehearsal o several, 20. Todas saben hacer la primera tarea tras el primer bloque.',
  'A score near 0.5 means one of the two tasks: both are drawn equally often.':
    'Una puntuación cerca de 0,5 significa una de las dos tareas: ambas se sortean con la misma frecuencia.',
  'Cells have weights of their own in the first layer, which the second task never changes. The layer behind it is shared: that is where the first task is lost.':
    'Cada celda tiene pesos propios en la primera capa, que la segunda tarea nunca cambia. La capa siguiente es compartida: ahí se pierde la primera tarea.',
  'A table has no shared part. Train Q-learning on rows of five cells, one after the other: does it forget?':
    'Una tabla no tiene ninguna parte compartida. Entrena Q-learning en filas de cinco celdas, una tras otra: ¿olvida?',
  'epsilon start': 'épsilon inicial',
  'Share of uniformly random actions at first.': 'Proporción de acciones al azar (uniformes) al principio.',
  exploration: 'exploración',
  decay: 'descenso',
  'None, or in a straight line to end values over the first episodes.':
    'Ninguno, o en línea recta hasta los valores finales durante los primeros episodios.',
  'step size end': 'tamaño de paso final',
  'Step size after the decay; empty keeps it constant.': 'Tamaño de paso tras el descenso; vacío lo deja constante.',
  'epsilon end': 'épsilon final',
  'Share of uniformly random actions after the decay; empty keeps it constant.':
    'Proporción de acciones al azar (uniformes) tras el descenso; vacío: se mantiene constante.',
  'decay length': 'duración del descenso',
  'Episodes until step size and epsilon reach their end values.':
    'Episodios hasta que el tamaño de paso y épsilon llegan a sus valores finales.',
  'step size (alpha)': 'tamaño de paso (alfa)',
  'Share of the TD error that is added to the value.': 'Parte del error TD que se suma al valor.',
  'initial value': 'valor inicial',
  'Optimistic values make the agent try everything once.': 'Con valores optimistas el agente lo prueba todo una vez.',
  map: 'mapa',
  'Rows of the coast, top to bottom: S start, . ground, C cliff, G goal.':
    'Filas de la costa, de arriba abajo: S salida, . suelo, C acantilado, G meta.',
  'learning rate': 'tasa de aprendizaje',
  'Initial step size of Adam.': 'Tamaño de paso inicial de Adam.',
  optimisation: 'optimización',
  'discount factor (gamma)': 'factor de descuento (gamma)',
  'Weight of a reward one step later.': 'Peso de una recompensa que llega un paso más tarde.',
  returns: 'retornos',
  'entropy coefficient': 'coeficiente de entropía',
  'Weight of the entropy of the policy in the loss: more exploration.':
    'Peso de la entropía de la política en la pérdida: más exploración.',
  loss: 'pérdida',
  'clip range': 'rango de recorte',
  'How far one update may move the probability of an action.': 'Cuánto puede cambiar una actualización la probabilidad de una acción.',
  epochs: 'épocas',
  'Passes over each rollout.': 'Pasadas por cada tanda de experiencia (rollout).',
  rollout: 'rollout',
  'Step size of Adam.': 'Tamaño de paso de Adam.',
  'target update interval': 'intervalo de copia de la red objetivo',
  'Steps between two updates of the target network.': 'Pasos entre dos actualizaciones de la red objetivo.',
  target: 'red objetivo',
  'Share of uniformly random actions after the decay.': 'Proporción de acciones al azar (uniformes) tras el descenso.',
  'partial reward': 'recompensa parcial',
  'Times the share of a wrong answer that is right.': 'Se multiplica por la parte correcta de una respuesta errónea.',
  'warm start': 'arranque con demostraciones',
  'Step size of AdamW: 1e-3 where rewards are dense, 3e-4 where success is rare.':
    'Tamaño de paso de AdamW: 1e-3 donde hay muchas recompensas, 3e-4 donde el éxito es raro.',
  seats: 'puestos',
  'Seats given to players that do not learn; the others are trained.':
    'Puestos que ocupan jugadores que no aprenden; los demás se entrenan.',
  game: 'juego',
  'Which payoffs, unless you give your own. For any number of players: public-goods, n-dilemma, n-stag-hunt, volunteer, minority, n-coordination.':
    'Qué pagos, salvo que des los tuyos. Para cualquier número de jugadores: public-goods, n-dilemma, n-stag-hunt, volunteer, minority, n-coordination.',
  payoffs: 'pagos',
  'Own symmetric game of two actions: what a player gets for CC, CD, DC, DD, own action first; empty: those of the game.':
    'Juego simétrico propio de dos acciones: lo que recibe un jugador con CC, CD, DC, DD, primero la acción propia; vacío: los del juego.',
  'payoffs of the row player': 'pagos del jugador de filas',
  'Own table, one list per action of the row player; empty: those of the game.':
    'Tabla propia, una lista por acción del jugador de filas; vacío: los del juego.',
  'payoffs of the column player': 'pagos del jugador de columnas',
  'Own table of the same shape; empty: the same payoffs for both.': 'Tabla propia de la misma forma; vacío: los mismos pagos para ambos.',
  'best episodes kept': 'mejores episodios que se conservan',
  'Share of the episodes with the highest returns that is learned from; 0.1 is "the best tenth".':
    'Parte de los episodios con retorno más alto de la que se aprende; 0,1 es «la mejor décima parte».',
  data: 'datos',
  'answers asked for': 'respuestas pedidas',
  'Of the script, over the whole run.': 'Al programa, en toda la ejecución.',
  'errors of the rater': 'errores de quien valora',
  'Share of the answers that are the wrong way round.': 'Parte de las respuestas que están al revés.',
  dataset: 'conjunto de datos',
  'What is learned from: a recorded dataset, or a grade that the environment’s own player records first.':
    'De qué se aprende: un conjunto de datos grabado, o un nivel de juego que el jugador propio del entorno graba antes.',
  'recorded steps': 'pasos grabados',
  'Of a grade that the run records for itself; a chosen dataset is taken whole.':
    'De un nivel que la ejecución graba para sí; un conjunto de datos elegido se toma entero.',
  'replay buffer size': 'tamaño del búfer de repetición',
  'The newest transitions that are kept.': 'Cuántas transiciones se conservan, las más recientes.',
  replay: 'repetición (replay)',
  'hidden layers': 'capas ocultas',
  'Units of each layer.': 'Unidades de cada capa.',
  network: 'red',
  'Cliff walking': 'Paseo por el acantilado',
  'Token tasks': 'Tareas con tokens',
  'Matrix games': 'Juegos matriciales',
  Pendulum: 'Péndulo',
  'against forgetting': 'contra el olvido',
  'Where tasks follow one another: a penalty on moving weights that mattered (elastic weight consolidation), transitions of all tasks that are kept and learned from again, several of them together with resets of units and borders found by the loss, or parts of the network for each task that agents are told.':
    'Cuando las tareas se suceden: una penalización por mover los pesos que importaban (consolidación elástica de pesos), transiciones de todas las tareas que se guardan y de las que se vuelve a aprender, varios de estos remedios juntos, con reinicio de unidades y límites hallados por la pérdida, o partes de la red para cada tarea que se comunica a los agentes.',
  variant: 'variante',
  'KL to a reference': 'KL respecto a una referencia',
  'Stays near a reference: the policy that learning by reward began with (fixed), or one that follows (moving).':
    'Permanece cerca de una referencia: la política con la que empezó el aprendizaje por recompensa (fixed) o una que la sigue (moving).',
  'cloned start': 'comienzo copiado',
  'Copies a script of the environment before anything else.': 'Antes que nada copia la política programada del entorno.',
  'An agent understands what a reward is meant for.': 'Un agente entiende para qué es una recompensa.',
  'Paid by the world': 'Lo que paga el mundo',
  'Every step costs 1, a step into the cliff costs 100 and leads back to the start, and the goal ends the walk. Q-learning knows nothing but these numbers.':
    'Cada paso cuesta 1, un paso al acantilado cuesta 100 y lleva de vuelta a la salida, y la meta termina el recorrido. Q-learning no conoce más que estos números.',
  'Which way does it walk in the end, without exploring?': '¿Por dónde camina al final, sin explorar?',
  'along the edge': 'por el borde',
  'one row away from the edge': 'a una fila del borde',
  'as far from the edge as it can': 'lo más lejos posible del borde',
  'as the world pays': 'según el mundo',
  'While it learned it fell again and again. Why does the edge still pay best?':
    'Mientras aprendía se cayó una y otra vez. ¿Por qué el borde es aun así lo que más paga?',
  'Afraid of the edge': 'Miedo al borde',
  'This is a reward in code: what it returns is paid, and here it returns what the world pays. Cells have numbers from 0, twelve in a row: the row at the edge is 24 to 35, and <code>next.state</code> is the cell that was reached. Let some of them cost more, so that it walks elsewhere.':
    'Esto es una recompensa en código: se paga lo que devuelve, y aquí devuelve lo que paga el mundo. Las celdas están numeradas desde 0, doce por fila: la fila del borde va de la 24 a la 35, y <code>next.state</code> es la celda alcanzada. Haz que algunas cuesten más, para que camine por otro lado.',
  'a way round that the world pays with -20 to -14 on every seed': 'un rodeo por el que el mundo paga de -20 a -14, con cada semilla',
  'A coin a step': 'Una moneda por paso',
  'Every step that does not fall now earns 1, as a praise for being careful. The goal still ends the walk.':
    'Cada paso sin caída gana ahora 1, como premio a la prudencia. La meta sigue terminando el recorrido.',
  'What does it learn?': '¿Qué aprende?',
  'the shortest way': 'el camino más corto',
  'a longer way to the goal': 'un camino más largo a la meta',
  'to walk about and never arrive': 'a dar vueltas y no llegar nunca',
  'Coins to the right': 'Monedas hacia la derecha',
  'The goal lies to the right, so each step to the right earns 3 more. That is help, not a new goal. Or is it?':
    'La meta está a la derecha, así que cada paso a la derecha gana 3 más. Eso es ayuda, no una meta nueva. ¿O sí?',
  'the shortest way, and sooner': 'el camino más corto, y antes',
  'to go to and fro and never arrive': 'a ir y venir y no llegar nunca',
  'Keep the help, mend the fault': 'Conservar la ayuda, corregir el fallo',
  'Steps to the right still earn 3 more. Add one line, so that going to and fro earns nothing and every seed arrives.':
    'Los pasos a la derecha siguen ganando 3 más. Añade una línea, para que ir y venir no gane nada y cada semilla llegue.',
  'every seed arrives: the world pays at least -17': 'cada semilla llega: el mundo paga al menos -17',
  '4 min, step 1: predict, run.': '4 min, paso 1: predecir, ejecutar.',
  '8 min, step 2: each writes a line. Who finds the cheapest way round, -15?':
    '8 min, paso 2: cada uno escribe una línea. ¿Quién encuentra el rodeo más barato, -15?',
  '8 min, steps 3 and 4: predict, then train. Which measure shows that something is wrong?':
    '8 min, pasos 3 y 4: predecir, luego entrenar. ¿Qué medida muestra que algo va mal?',
  '8 min, step 5: one line. Compare the lines on the board: what do those that work have in common?':
    '8 min, paso 5: una línea. Compara las líneas en la pizarra: ¿qué tienen en común las que funcionan?',
  'As the world pays, every seed walks along the edge: -13. With 5 off for each cell from 24 to 35 every seed goes one row further: -15 as the world pays, -25 under the new reward.':
    'Con lo que paga el mundo, cada semilla va por el borde: -13. Con 5 menos por cada celda de la 24 a la 35, cada semilla va una fila más allá: -15 según el mundo, -25 según la recompensa nueva.',
  'Under a coin a step the curve of the new reward only climbs, and no seed arrives. Under coins to the right none arrives either.':
    'Con una moneda por paso la curva de la recompensa nueva no deja de subir y ninguna semilla llega. Con monedas hacia la derecha tampoco llega ninguna.',
  'What mends it pays nothing for a circle: 3 off for each step to the left gives -13, -17 and -13. Rewards of this kind come from a potential and leave the best way the best (Ng, Harada and Russell 1999).':
    'Lo que lo corrige no paga nada por un círculo: 3 menos por cada paso a la izquierda da -13, -17 y -13. Estas recompensas vienen de un potencial y dejan que el mejor camino siga siéndolo (Ng, Harada y Russell 1999).',
  'The same for another world: Write your own, Reward. Try a car on a hill that is paid for its speed.':
    'Lo mismo para otro mundo: «Escribe el tuyo», «Reward». Prueba un coche en una colina al que se paga por su velocidad.',
  'Your reward. Escape, then Tab, leaves the editor.': 'Tu recompensa. Con Escape y luego Tab se sale del editor.',
  'Line {n}.': 'Línea {n}.',
  Stop: 'Detener',
  'Train {n} seeds': 'Entrenar {n} semillas',
  'The first code again': 'Otra vez el primer código',
  'Return of what was learned, without exploring': 'Retorno de lo aprendido, sin explorar',
  seed: 'semilla',
  'as your code pays': 'según tu código',
  'Training has ended.': 'El entrenamiento ha terminado.',
  'An episode of what was learned: {n} steps, your code pays {value}.': 'Un episodio de lo aprendido: {n} pasos, tu código paga {value}.',
  'An episode of random actions: {n} steps, your code pays {value}.': 'Un episodio de acciones al azar: {n} pasos, tu código paga {value}.',
  'episode length': 'duración del episodio',
  'mean Q': 'Q media',
  'TD error (absolute)': 'error TD (absoluto)',
  'gradient norm': 'norma del gradiente',
  epsilon: 'épsilon',
  'observations counted': 'observaciones contadas',
  'targets outside the atoms': 'objetivos fuera de los átomos',
  'penalty against forgetting': 'penalización contra el olvido',
  'target copies': 'copias de la red objetivo',
  'pass@1, sampled': 'pass@1, muestreado',
  'pass@8, sampled': 'pass@8, muestreado',
  'completion length': 'longitud de la respuesta',
  'uniform groups': 'grupos uniformes',
  'policy loss': 'pérdida de la política',
  'clip fraction': 'fracción recortada',
  'KL to the old policy': 'KL respecto a la política anterior',
  'own successes': 'aciertos propios',
  'partial starts': 'comienzos parciales',
  'cloning loss': 'pérdida de clonación',
  'demonstrations met': 'demostraciones reproducidas',
  solved: 'resueltas',
  'well-formed': 'bien formadas',
  'value loss': 'pérdida de la función de valor',
  'approximate KL': 'KL aproximada',
  'explained variance': 'varianza explicada',
  answers: 'respuestas',
  'reward loss': 'pérdida del modelo de recompensa',
  'reward agreement': 'acuerdo con la recompensa verdadera',
  'learned reward': 'recompensa aprendida',
  'wins against the worst rival': 'victorias contra el rival más difícil',
  constant: 'constante',
  'KL coefficient': 'coeficiente de KL',
  'Weight of the KL to the reference.': 'Peso de la KL respecto a la referencia.',
  'KL estimate': 'estimación de la KL',
  'k3 is never negative; k2 has the gradient of the reverse KL; k1 as a loss does nothing on average.':
    'k3 nunca es negativa; k2 tiene el gradiente de la KL inversa; k1 como pérdida no hace nada en promedio.',
  'moves every': 'se mueve cada',
  'The reference follows the learned policy after so many updates.':
    'La referencia sigue a la política aprendida tras este número de actualizaciones.',
  'step of the reference': 'paso de la referencia',
  'Share of the way to the learned policy that it goes when it moves.':
    'Parte del camino hacia la política aprendida que recorre cuando se mueve.',
  'cloning updates': 'actualizaciones de clonación',
  'Updates on demonstrations before any reward.': 'Actualizaciones con demostraciones antes de cualquier recompensa.',
  'learning rate of cloning': 'tasa de aprendizaje de la clonación',
  'Step size of AdamW on demonstrations.': 'Tamaño de paso de AdamW con las demostraciones.',
  'cloning ends at': 'la clonación termina en',
  'Cloning ends before its last update once this share of new demonstrations is what the policy would write greedily, a running mean; 1: never.':
    'La clonación termina antes de su última actualización en cuanto esta proporción de las demostraciones nuevas (media móvil) es lo que la política escribiría de forma voraz; 1: nunca.',
  'demonstrations apart': 'demostraciones distintas',
  'Every row copies a demonstration of its own; off: rows of a group copy the same one.':
    'Cada fila copia su propia demostración; desactivado: las filas de un grupo copian la misma.',
  teacher: 'profesor',
  'The scripted policy that is copied; the environment says how many mistakes its novice makes.':
    'La política programada que se copia; el entorno dice cuántos errores comete su novato (novice).',
  'strength of the penalty (lambda)': 'intensidad de la penalización (lambda)',
  'Half of it weighs squared distances from the kept weights. Larger keeps earlier tasks better and learns later ones worse.':
    'La mitad de este valor pondera las distancias al cuadrado respecto a los pesos guardados. Cuanto mayor es, mejor se conservan las tareas anteriores y peor se aprenden las posteriores.',
  'samples of the Fisher information': 'muestras de la información de Fisher',
  'States of the finished block, drawn from replay, over which squared gradients are averaged.':
    'Estados del bloque terminado, tomados del búfer de repetición, sobre los que se promedian los gradientes al cuadrado.',
  'consolidate every': 'consolidar cada',
  'Environment steps after which the weights are kept. 0: where the environment ends a block of its sequence of tasks.':
    'Pasos del entorno tras los que se guardan los pesos. 0: donde el entorno termina un bloque de su secuencia de tareas.',
  'share of older importance (gamma)': 'proporción de la importancia anterior (gamma)',
  'What is kept of the Fisher information of earlier blocks when a new one is added.':
    'Lo que se conserva de la información de Fisher de bloques anteriores al añadir uno nuevo.',
  'transitions kept': 'transiciones guardadas',
  'A uniform sample of all transitions so far, beside the newest in the replay buffer.':
    'Una muestra uniforme de todas las transiciones hasta ahora, junto a las más recientes del búfer de repetición.',
  'share of kept transitions': 'proporción de transiciones guardadas',
  'Part of each minibatch that is drawn from the kept transitions; the rest comes from the replay buffer.':
    'Parte de cada minilote que se toma de las transiciones guardadas; el resto viene del búfer de repetición.',
  'weight of cloning': 'peso de la clonación',
  'Of the squared distance from the action values that the network gave when the transition was kept. 0: off.':
    'Peso de la distancia al cuadrado respecto a los valores de acción que daba la red cuando se guardó la transición. 0: desactivado.',
  'strength of the penalty (lambda; 0: none)': 'intensidad de la penalización (lambda; 0: ninguna)',
  'transitions kept (0: none)': 'transiciones guardadas (0: ninguna)',
  'dormant at or below (tau; 0: no resets)': 'unidades inactivas hasta (tau; 0: sin reinicios)',
  'Where a task ends, hidden units whose mean activation is at most this part of the mean of their layer are started anew.':
    'Donde termina una tarea, se reinician las unidades ocultas cuya activación media es como mucho esta parte de la media de su capa.',
  'jump of the loss that ends a task (0: not looked for)': 'salto de la pérdida que termina una tarea (0: no se busca)',
  'Above 0 a task ends where the loss of forty updates lies so far above that of the eight hundred before; borders of the environment and "consolidate every" then do not count.':
    'Por encima de 0, una tarea termina donde la pérdida de cuarenta actualizaciones supera en tantas desviaciones típicas la de las ochocientas anteriores; los límites del entorno y «consolidar cada» no cuentan entonces.',
  'share of free weights a task keeps': 'proporción de pesos libres que guarda una tarea',
  'Of the weights that no earlier task owns those of largest magnitude; the others are free for later tasks.':
    'De los pesos que ninguna tarea anterior posee, los de mayor magnitud; los demás quedan libres para tareas posteriores.',
  'share of a block after pruning': 'proporción de un bloque tras la poda',
  'Part of the block, at its end, in which only the weights learn that the task keeps.':
    'Parte final del bloque en la que solo aprenden los pesos que guarda la tarea.',
  'One row less': 'Una fila menos',
  'One column less': 'Una columna menos',
  'One row more': 'Una fila más',
  'One column more': 'Una columna más',
  '{n} rows': '{n, plural, one {{n} fila} other {{n} filas}}',
  '{n} columns': '{n, plural, one {{n} columna} other {{n} columnas}}',
  'The agent cannot stand there.': 'El agente no puede estar ahí.',
  agent: 'agente',
  Redo: 'Rehacer',
  'Draw in a large window': 'Dibujar en una ventana grande',
  Clear: 'Vaciar',
  Remove: 'Quitar',
  'Edit this map': 'Editar este mapa',
  'Draw the map': 'Dibujar el mapa',
  'row {row}, column {column}: {what}': 'fila {row}, columna {column}: {what}',
  '{what} chosen': 'elegido: {what}',
  'Tile to paint': 'Tipo de celda que se pinta',
  Colour: 'Color',
  'agent: again turns it': 'agente: colocado de nuevo, gira',
  'Nash equilibria of one round': 'Equilibrios de Nash de una ronda',
  'No Nash equilibrium of one round found': 'No se encontró ningún equilibrio de Nash de una ronda',
  'Nash equilibrium of one round': 'Equilibrio de Nash de una ronda',
  'and {n} more': 'y {n} más',
  'Some payoffs are tied, so there may be more than these.': 'Algunos pagos son iguales, así que puede haber más.',
  'any mix from ({from}) to ({to})': 'cualquier mezcla de ({from}) a ({to})',
  ' against ': ' contra ',
  'pays {mine}, {theirs}': 'paga {mine}, {theirs}',
  'Best responses of both; they cross at the equilibria.': 'Mejores respuestas de ambos; se cruzan en los equilibrios.',
  'its own payoffs': 'sus propios pagos',
  'the same game from its side': 'el mismo juego visto desde su lado',
  'the opposite (zero sum)': 'lo contrario (suma cero)',
  'the same (common interest)': 'lo mismo (interés común)',
  'The column player gets': 'El jugador de columnas recibe',
  'own payoffs': 'tus propios pagos',
  'Edit in a large window': 'Editar en una ventana grande',
  Payoffs: 'Pagos',
  'Each payoff must be a number.': 'Cada pago debe ser un número.',
  'Payoffs. Rows are actions of the row player, columns those of the column player; each cell has first the payoff of the row player, then that of the column player.':
    'Pagos. Las filas son acciones del jugador de filas, las columnas las del jugador de columnas; cada celda tiene primero el pago del jugador de filas y luego el del jugador de columnas.',
  equilibrium: 'equilibrio',
  'best response': 'mejor respuesta',
  'Row player: {action} against {other}': 'Jugador de filas: {action} contra {other}',
  'Column player: {action} against {other}': 'Jugador de columnas: {action} contra {other}',
  ground: 'suelo',
  cliff: 'acantilado',
  goal: 'meta',
  start: 'salida',
  'There is no start on this map. Paint one.': 'No hay salida en este mapa. Pinta una.',
  'There is no goal on this map, so no episode ever ends.': 'No hay meta en este mapa, así que ningún episodio termina.',
  'The goal cannot be reached from the start. Open a way beside the cliff.':
    'No se puede llegar a la meta desde la salida. Abre un camino junto al acantilado.',
  cooperate: 'cooperar',
  defect: 'traicionar',
  left: 'izquierda',
  right: 'derecha',
  stag: 'ciervo',
  hare: 'liebre',
  dove: 'paloma',
  hawk: 'halcón',
  heads: 'cara',
  tails: 'cruz',
  opera: 'ópera',
  football: 'fútbol',
  rock: 'piedra',
  paper: 'papel',
  scissors: 'tijera',
  high: 'alto',
  low: 'bajo',
  trust: 'confiar',
  'play safe': 'ir a lo seguro',
  rod: 'barra',
  floor: 'suelo',
  ice: 'hielo',
  hole: 'agujero',
  adversary: 'adversario',
  landmark: 'obstáculo',
  'tokens written': 'tokens escritos',
  'bars: what an arm pays, unknown to the player': 'barras: lo que paga una palanca, desconocido para el jugador',
};
export default texts;
