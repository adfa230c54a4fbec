/** French: lessons and class. Texts by their English wording; how to add one: docs/languages.md. */
import type { Catalogue } from '../../text.ts';

const texts: Catalogue = {
  'my settings': 'mes réglages',
  'the run': 'l’exécution',
  'at least {min} and at most {max}': 'au moins {min} et au plus {max}',
  'at least {min}': 'au moins {min}',
  'at most {max}': 'au plus {max}',
  'a greedy return of {range} on every seed': 'un retour glouton valant {range} sur chaque graine',
  'a greedy return of {range} as the mean over seeds': 'un retour glouton valant {range} en moyenne sur les graines',
  'a return at the end of {range} on every seed': 'un retour final valant {range} sur chaque graine',
  'a return at the end of {range} as the mean over seeds': 'un retour final valant {range} en moyenne sur les graines',
  'Looking for moments.': 'Recherche de moments.',
  'Two short moments of this dataset, again and again: say which is nearer to what you want. A reward is learned from your answers, and an agent from that reward; twenty make a start.':
    'Deux courts moments de ce jeu de données, plusieurs fois de suite : dites lequel se rapproche le plus de ce que vous voulez. Une récompense est apprise à partir de vos réponses, et un agent à partir de cette récompense ; vingt suffisent pour commencer.',
  'Compare pairs': 'Comparer des paires',
  'First moment of pair {n} in {world}.': 'Premier moment de la paire {n} dans {world}.',
  'Second moment of pair {n} in {world}.': 'Second moment de la paire {n} dans {world}.',
  'The first': 'Le premier',
  'The second': 'Le second',
  Neither: 'Aucun des deux',
  Undo: 'Annuler',
  'Play the moments': 'Lire les moments',
  '{n} answers': '{n, plural, one {{n} réponse} other {{n} réponses}}',
  'Keep the answers': 'Garder les réponses',
  'What was measured': 'Ce qui a été mesuré',
  '{title}.': '{title}.',
  'Predicted: {prediction}.': 'Prédiction : {prediction}.',
  'Not run yet.': 'Pas encore lancé.',
  'Task reached: {goal}.': 'Tâche réussie : {goal}.',
  'Task not reached yet: {goal}.': 'Tâche pas encore réussie : {goal}.',
  'No lesson is named.': 'Aucune leçon n’est indiquée.',
  'All lessons': 'Toutes les leçons',
  '{lesson}, step {n}': '{lesson}, étape {n}',
  'Projector: large type': 'Projecteur : grands caractères',
  'Leave the lesson': 'Quitter la leçon',
  Steps: 'Étapes',
  'This step cannot be opened.': 'Cette étape ne peut pas être ouverte.',
  'There are answers of an earlier visit.': 'Il reste des réponses d’une visite précédente.',
  'Start the lesson over': 'Recommencer la leçon',
  'Back to the start of this step': 'Revenir au début de cette étape',
  Back: 'Précédent',
  'Class {word}, my seat number': 'Classe {word}, mon numéro de place',
  'a whole number from 1 to 255': 'un nombre entier de 1 à 255',
  'Play it yourself': 'Jouez vous-même',
  'Run it': 'Lancer',
  'Run all {n}': 'Lancer les {n}',
  'First your prediction, then the run.': 'D’abord votre prédiction, ensuite l’exécution.',
  'In your own words; it stays on this machine.': 'Avec vos propres mots ; cela reste sur cet appareil.',
  'Your prediction': 'Votre prédiction',
  'Your controls': 'Vos commandes',
  'Train both': 'Entraîner les deux',
  'Train my settings': 'Entraîner avec mes réglages',
  'First your seat number, then the run.': 'D’abord votre numéro de place, ensuite l’exécution.',
  'Step {n}: {title}': 'Étape {n} : {title}',
  'Step {n}: {title}, met': 'Étape {n} : {title}, réussie',
  'Step {n}: {title}, not yet met': 'Étape {n} : {title}, pas encore réussie',
  'To reach: {goal}.': 'À atteindre : {goal}.',
  '✓ Reached: {goal}.': '✓ Atteint : {goal}.',
  'Not yet: {goal}. Now {value}.': 'Pas encore : {goal}. Actuellement {value}.',
  'Each is a link for a whole class: predict, run it on your own machine, compare. No account, no names, nothing is sent.':
    'Chacune est un lien pour toute une classe : prédire, exécuter sur son propre appareil, comparer. Pas de compte, pas de noms, rien n’est envoyé.',
  'Make a lesson': 'Créer une leçon',
  'in {n} steps': 'en {n} étapes',
  'For a class: {lesson}': 'Pour une classe : {lesson}',
  'You said {value} {unit}.': 'Vous avez dit {value} {unit}.',
  '{unit}, {min} to {max}': '{unit}, de {min} à {max}',
  'This is my guess': 'C’est ma prédiction',
  'your sketch': 'votre esquisse',
  'your guess': 'votre prédiction',
  measured: 'mesuré',
  'This is my sketch': 'C’est mon esquisse',
  'Show me two moments': 'Montrez-moi deux moments',
  '{n} answers are kept.': '{n, plural, one {{n} réponse est gardée.} other {{n} réponses sont gardées.}}',
  'Let an agent learn from them': 'Entraîner un agent avec ces réponses',
  'Answer anew': 'Répondre à nouveau',
  'There is no code of this result.': 'Il n’y a pas de code pour ce résultat.',
  'My result': 'Mon résultat',
  'Your result as a code, for the class page. It holds your settings and what they gave, and no name.':
    'Votre résultat sous forme de code, pour la page de la classe. Il contient vos réglages et ce qu’ils ont donné, et aucun nom.',
  'Result code': 'Code de résultat',
  Copy: 'Copier',
  'QR code': 'Code QR',
  'QR code of my result': 'Code QR de mon résultat',
  run: 'exécution',
  'return, {measure}': 'retour, {measure}',
  scene: 'scène',
  'Show the agent of {label} in the scene': 'Montrer dans la scène l’agent de {label}',
  'Show this agent in the scene': 'Montrer cet agent dans la scène',
  'not started': 'pas commencée',
  '{n} % trained': 'entraînée à {n} %',
  'nothing measured': 'rien de mesuré',
  '{mean} ({n} seeds, {min} to {max})': '{mean} ({n} graines, de {min} à {max})',
  '{y} at {x}': '{y} à {x}',
  'For the teacher': 'Pour l’enseignant',
  'Works on the belief: “{belief}”': 'Idée reçue visée : « {belief} »',
  'One way through it:': 'Une façon de la mener :',
  'What to know:': 'À savoir :',
  'To go on: {extend}': 'Pour aller plus loin : {extend}',
  Board: 'Tableau',
  seat: 'place',
  result: 'résultat',
  settings: 'réglages',
  'checked here': 'vérifié ici',
  remove: 'retirer',
  '✓ goal': '✓ objectif',
  'not yet': 'pas encore',
  'The same for all: {settings}.': 'Identique pour tous : {settings}.',
  'as given': 'tels quels',
  'Remove the result of seat {n}': 'Retirer le résultat de la place {n}',
  'For which lesson?': 'Pour quelle leçon ?',
  'each has “For a class” beside it.': '« Pour une classe » se trouve à côté de chacune.',
  'one without a seat': 'un sans place',
  'seat {n}': 'place {n}',
  '{lesson}: class {word}': '{lesson} : classe {word}',
  Projector: 'Projecteur',
  'For the class: link and code': 'Pour la classe : lien et code',
  'QR code of the lesson for the class': 'Code QR de la leçon pour la classe',
  'Open the lesson by this code or link.': 'Ouvrez la leçon avec ce code ou ce lien.',
  'Type your seat number: your runs get seeds of their own. No name is asked for.':
    'Tapez votre numéro de place : vos exécutions auront leurs propres graines. Aucun nom n’est demandé.',
  'When a task is done, show or copy its result code.': 'Quand une tâche est réussie, montrez ou copiez son code de résultat.',
  'Link for the class': 'Lien pour la classe',
  Link: 'Lien',
  'Copy link': 'Copier le lien',
  'This lesson is too long for a QR code; send the link.': 'Cette leçon est trop longue pour un code QR ; envoyez le lien.',
  Collect: 'Recueillir',
  'Result codes': 'Codes de résultat',
  'Paste result codes, as many as you like; each begins with RL1:':
    'Collez des codes de résultat, autant que vous voulez ; chacun commence par RL1:',
  'Add these': 'Ajouter ceux-ci',
  'Files or photos': 'Fichiers ou photos',
  'Close the camera': 'Fermer la caméra',
  Camera: 'Caméra',
  'Files with result codes': 'Fichiers contenant des codes de résultat',
  Results: 'Résultats',
  'Nothing yet. What comes in is kept on this machine until you delete it.':
    'Rien pour l’instant. Ce qui arrive est gardé sur cet appareil jusqu’à ce que vous le supprimiez.',
  '{n} of {all} still to be simulated.': 'Encore {n} sur {all} à simuler.',
  'None is forged, but {n} of {all} could not be verified here: they do not count as true.':
    'Aucun n’est falsifié, mais {n} sur {all} n’ont pas pu être vérifiés ici : ils ne comptent pas comme vrais.',
  'Every result was simulated here again; none is forged.': 'Chaque résultat a été simulé de nouveau ici ; aucun n’est falsifié.',
  'Forged: {seats}. The run of these settings and seeds gives other values.':
    'Falsifiés : {seats}. L’exécution avec ces réglages et ces graines donne d’autres valeurs.',
  'Goal: {goal}.': 'Objectif : {goal}.',
  'CSV file': 'Fichier CSV',
  'Everything that was collected is deleted.': 'Tout ce qui avait été recueilli est supprimé.',
  'Delete all {n} results': '{n, plural, one {Supprimer {n} résultat} other {Supprimer les {n} résultats}}',
  'Keep them': 'Les garder',
  'Delete everything': 'Tout supprimer',
  'What a check can tell, and what it cannot': 'Ce qu’une vérification peut dire, et ce qu’elle ne peut pas',
  'A result is true when the same settings and seeds give the same values here, bit for bit.':
    'Un résultat est vrai quand les mêmes réglages et les mêmes graines donnent ici les mêmes valeurs, bit pour bit.',
  'Predictions cannot be checked, nor who pressed the buttons.':
    'Ni les prédictions ni la personne qui a appuyé sur les boutons ne peuvent être vérifiées.',
  'A result of another version of the workbench is “cannot be checked”, never “forged”.':
    'Un résultat d’une autre version du laboratoire est « invérifiable », jamais « falsifié ».',
  'Seats are numbers; keep the list of who sits where on paper. Nothing of this page is sent anywhere.':
    'Les places sont des numéros ; gardez sur papier la liste de qui est assis où. Rien de cette page n’est envoyé où que ce soit.',
  '{n} results': '{n, plural, one {{n} résultat} other {{n} résultats}}',
  '{n} of {all} reached the goal': '{n, plural, one {{n} sur {all} a atteint l’objectif} other {{n} sur {all} ont atteint l’objectif}}',
  '{words}, {n} not verified': '{words}, {n} non vérifiés',
  '{words}, {n} forged': '{n, plural, one {{words}, {n} falsifié} other {{words}, {n} falsifiés}}',
  'goal {value}': 'objectif {value}',
  'no seat': 'sans place',
  '{counted}.': '{counted}.',
  'Return, {measure}, mean over seeds, less that of {other}.': 'Retour, {measure}, moyenne sur les graines, moins celui de {other}.',
  'Return, {measure}, mean over seeds.': 'Retour, {measure}, moyenne sur les graines.',
  'Return, {measure}, the seed that decides.': 'Retour, {measure}, la graine qui décide.',
  'What the class predicted': 'Ce que la classe a prédit',
  '{n} of {all}': '{n} sur {all}',
  '{min} to {max} {unit}, half of them at most {median}.': 'de {min} à {max} {unit}, la moitié au plus {median}.',
  '{n} sketches over each other': '{n, plural, one {{n} esquisse} other {{n} esquisses superposées}}',
  'Camera: hold a result code in front of it': 'Caméra : présentez un code de résultat devant elle',
  'Paste the codes instead, or choose photos of them.': 'Collez plutôt les codes, ou choisissez-en des photos.',
  'The browser did not let the page use the camera. Allow it at the left of the address bar, or go on without.':
    'Le navigateur n’a pas laissé la page utiliser la caméra. Autorisez-la à gauche de la barre d’adresse, ou continuez sans.',
  'This machine has no camera that the browser can use.': 'Cet appareil n’a pas de caméra utilisable par le navigateur.',
  'The camera is in use by another program. Close that one and try again.':
    'La caméra est utilisée par un autre programme. Fermez-le et réessayez.',
  'Browsers open the camera only for pages served over HTTPS or from this machine.':
    'Les navigateurs n’ouvrent la caméra que pour des pages servies en HTTPS ou depuis cet appareil.',
  'The camera cannot be used: {why}.': 'La caméra ne peut pas être utilisée : {why}.',
  'map of {n} rows': 'carte de {n} lignes',
  'true so far, {n} of {all} seeds':
    '{n, plural, one {vrai jusqu’ici, {n} graine sur {all}} other {vrai jusqu’ici, {n} graines sur {all}}}',
  'true, all {n} seeds': '{n, plural, one {vrai, sur sa seule graine} other {vrai, sur les {n} graines}}',
  'forged: {why}': 'falsifié : {why}',
  'cannot be checked: {why}': 'invérifiable : {why}',
  'being simulated': 'simulation en cours',
  'Nothing new.': 'Rien de nouveau.',
  '{n} results added': '{n, plural, one {{n} résultat ajouté} other {{n} résultats ajoutés}}',
  '{added} ({seats})': '{added} ({seats})',
  '{added}.': '{added}.',
  '{added}, {n} of them of a seat that has handed in before: the newest true one counts.':
    '{added}, dont {n} d’une place qui avait déjà rendu un résultat : le plus récent qui est vrai compte.',
  'There is no result code in it. A code begins with RL1: and stands on a line of its own.':
    'Aucun code de résultat ici. Un code commence par RL1: et occupe sa propre ligne.',
  'More than {n} results: the rest was left out.': 'Plus de {n} résultats : le reste a été écarté.',
  'And {n} more that cannot be read.': '{n, plural, one {Et {n} autre illisible.} other {Et {n} autres illisibles.}}',
  '{file} is larger than {n} MB.': '{file} dépasse {n} Mo.',
  '{file} is not a picture that this browser can read.': '{file} n’est pas une image que ce navigateur sait lire.',
  'No QR code was found in {file}. Take it from nearer, straight, with the whole code in it.':
    'Aucun code QR trouvé dans {file}. Photographiez-le de plus près, bien droit, avec le code entier.',
  'made with version {made} of its environment and algorithm; here it is {here}':
    'fait avec la version {made} de son environnement et de son algorithme ; ici c’est la {here}',
  'its settings are not possible: {why}': 'ses réglages sont impossibles : {why}',
  'asks for {n} steps a seed; at most {most} are simulated': 'demande {n} pas par graine ; {most} au plus sont simulés',
  'its settings do not give the configuration that it names': 'ses réglages ne donnent pas la configuration qu’il nomme',
  'its seeds are not those of its settings': 'ses graines ne sont pas celles de ses réglages',
  'a seed is missing': 'il manque une graine',
  'seed {n}: {why}': 'graine {n} : {why}',
  'There is no lesson “{id}”.': 'Il n’y a pas de leçon « {id} ».',
  'Did you mean {names}?': 'Vouliez-vous dire {names} ?',
  'Use one of: {names}.': 'Utilisez l’une de celles-ci : {names}.',
  'The link of this lesson is damaged: {why}.': 'Le lien de cette leçon est endommagé : {why}.',
  'Copy the whole link again.': 'Recopiez le lien entier.',
  'This lesson has format {n}; this page knows format {here}.': 'Cette leçon est au format {n} ; cette page connaît le format {here}.',
  'Reload the page.': 'Rechargez la page.',
  'This is not a result code.': 'Ceci n’est pas un code de résultat.',
  'A code begins with RL1: and is copied whole.': 'Un code commence par RL1: et se copie en entier.',
  'This code is damaged: {why}.': 'Ce code est endommagé : {why}.',
  'Copy the whole code again, or scan it.': 'Recopiez le code entier, ou scannez-le.',
  'its end is missing': 'la fin manque',
  'its characters were changed on the way': 'ses caractères ont changé en route',
  'its end is missing or characters were changed on the way': 'la fin manque, ou des caractères ont changé en route',
  'its checksum does not match': 'sa somme de contrôle ne correspond pas',
  'its settings cannot be unpacked': 'ses réglages ne peuvent pas être extraits',
  'its content cannot be unpacked': 'son contenu ne peut pas être extrait',
  'it is shorter than it says': 'il est plus court qu’il ne l’annonce',
  'the lesson has no result at step {n}': 'la leçon n’a pas de résultat à l’étape {n}',
  'it does not hold the runs of its step': 'il ne contient pas les exécutions de son étape',
  'it answers what was not asked': 'il répond à ce qui n’était pas demandé',
  'it does not hold the settings of its step': 'il ne contient pas les réglages de son étape',
  'This code is of another lesson.': 'Ce code est d’une autre leçon.',
  'Open the class page of that lesson, or ask for a code of this one.':
    'Ouvrez la page de classe de cette leçon, ou demandez un code de celle-ci.',
  'This code is of version {n} of the lesson; here it is version {here}.':
    'Ce code est de la version {n} de la leçon ; ici c’est la version {here}.',
  'Reload this page.': 'Rechargez cette page.',
  'The pupil reloads the lesson and runs it again.': 'L’élève recharge la leçon et la relance.',
  'it names seat {n} and no class': 'il indique la place {n} et aucune classe',
  'made without the class': 'fait sans la classe',
  'handed in for another class': 'rendu pour une autre classe',
  'its seeds are not those of seat {n}': 'ses graines ne sont pas celles de la place {n}',
  'claims {claimed}, the run gives {given}': 'affirme {claimed}, l’exécution donne {given}',
  'the value is right, what was learned is not': 'la valeur est juste, ce qui a été appris ne l’est pas',
  'Nothing was measured for {runs}.': 'Rien n’a été mesuré pour {runs}.',
  '“{label}”': '« {label} »',
  '{measure}, mean over {n} seeds': '{measure}, moyenne sur {n} graines',
  'Return of “{label}”: {value} ({by}; single seeds from {min} to {max}).':
    'Retour de « {label} » : {value} ({by} ; graines prises une à une de {min} à {max}).',
  'Return of “{label}”: {value} ({by}).': 'Retour de « {label} » : {value} ({by}).',
  'All have the same return: {value} ({by}).': 'Toutes ont le même retour : {value} ({by}).',
  'Every seed of “{high}” is above every seed of “{low}”.': 'Chaque graine de « {high} » est au-dessus de toutes celles de « {low} ».',
  'Their seeds overlap: with other seeds the order may differ.':
    'Les résultats de leurs graines se chevauchent : avec d’autres graines, l’ordre peut changer.',
  'Highest return: {most} with “{high}”. Lowest: {least} with “{low}” ({by}).':
    'Retour le plus haut : {most} avec « {high} ». Le plus bas : {least} avec « {low} » ({by}).',
  '“{high}” has {difference} more return than “{low}”: {most} and {least} ({by}).':
    '« {high} » a {difference} de retour de plus que « {low} » : {most} et {least} ({by}).',
  'while learning, at the end': 'pendant l’apprentissage, à la fin',
  'greedy test': 'test glouton',
  'The best lever so far is the best lever; a little luck always suffices.':
    'Le meilleur levier jusqu’ici est le meilleur levier ; un peu de chance suffit toujours.',
  '12 and older': 'dès 12 ans',
  'Play it': 'Jouez',
  'Eleven levers, each pays its own amount every time. Pull fifteen times with the number keys. Which lever is best, and are you sure?':
    'Onze leviers ; chacun paie toujours son propre montant. Tirez quinze fois avec les touches numériques. Quel levier est le meilleur, et en êtes-vous sûr ?',
  'Never try anything new': 'Ne jamais rien essayer de nouveau',
  'The agent always pulls the lever with the highest estimate. All estimates start at 0, so it pulls the first. The best lever pays 1.':
    'L’agent tire toujours le levier dont l’estimation est la plus haute. Toutes les estimations commencent à 0, il tire donc le premier. Le meilleur levier paie 1.',
  'What does it earn per pull after 2,000 pulls without exploring?': 'Que gagne-t-il par tirage après 2 000 tirages sans explorer ?',
  'less than 0.25': 'moins de 0,25',
  'about 0.5': 'environ 0,5',
  'about 0.75': 'environ 0,75',
  'almost 1': 'presque 1',
  'epsilon 0': 'epsilon 0',
  'How much exploring?': 'Explorer, mais combien ?',
  'Epsilon is the share of pulls at random. Sketch what the agent earns for each, then run all five.':
    'Epsilon est la part des tirages au hasard. Esquissez ce que l’agent gagne pour chaque valeur, puis lancez les cinq.',
  'Pay per pull at the end, for each epsilon': 'Gain par tirage à la fin, pour chaque epsilon',
  'pay per pull': 'gain par tirage',
  'epsilon 0.01': 'epsilon 0,01',
  'epsilon 0.1': 'epsilon 0,1',
  'epsilon 0.3': 'epsilon 0,3',
  'epsilon 1': 'epsilon 1',
  'Which of the five differs most from your line? What did the agent know at the end that it did not use?':
    'Lequel des cinq s’écarte le plus de votre ligne ? Que savait l’agent à la fin sans s’en être servi ?',
  'Optimistic start': 'Départ optimiste',
  'Back to no exploring. This time every estimate starts at 2, more than any lever pays, so each lever is tried until its estimate has fallen. The bars now show what each really pays.':
    'De nouveau sans explorer. Cette fois chaque estimation commence à 2, plus que ne paie aucun levier : chaque levier est donc essayé jusqu’à ce que son estimation ait baissé. Les barres montrent maintenant ce que chacun paie vraiment.',
  'Does it find the best lever without a single random pull?': 'Trouve-t-il le meilleur levier sans un seul tirage au hasard ?',
  'yes, on every seed': 'oui, sur chaque graine',
  'on about half of the seeds': 'sur la moitié des graines environ',
  no: 'non',
  'initial value 2': 'valeur initiale 2',
  'Your own settings': 'Vos propres réglages',
  'Find settings that earn at least 0.95 per pull on every one of ten seeds. Epsilon 0.1 misses it on some.':
    'Trouvez des réglages qui gagnent au moins 0,95 par tirage sur chacune de dix graines. Epsilon 0,1 n’y arrive pas sur certaines.',
  'at least 0.95 per pull on every seed': 'au moins 0,95 par tirage sur chaque graine',
  '3 min, screens closed: three paper cups with coins; one pull a pupil, the class says when it would stop.':
    '3 min, écrans fermés : trois gobelets avec des pièces ; un tirage par élève, la classe dit quand elle s’arrêterait.',
  "8 min, steps 1 to 3: everybody predicts before the run. Collect the sketches' tallest place by show of hands.":
    '8 min, étapes 1 à 3 : chacun prédit avant l’exécution. Relevez à main levée où se trouve le point le plus haut des esquisses.',
  '4 min, screens closed: “At epsilon 1 it knows everything. Why does it earn so little?”':
    '4 min, écrans fermés : « Avec epsilon 1, il sait tout. Pourquoi gagne-t-il si peu ? »',
  '8 min, steps 4 and 5; who has reached the goal looks for a second way.':
    '8 min, étapes 4 et 5 ; ceux qui ont atteint l’objectif cherchent une deuxième façon.',
  '5 min, the board: which settings reached it? Most are of two kinds: fading exploration, or high hopes at the start.':
    '5 min, le tableau : quels réglages y sont arrivés ? La plupart sont de deux sortes : une exploration qui décroît, ou des estimations optimistes au départ.',
  'At epsilon 1 the agent knows everything (its greedy test earns 1) and uses none of it.':
    'Avec epsilon 1, l’agent sait tout (son test glouton gagne 1) et ne se sert de rien.',
  'The pay has no noise here, so a step size of 1 is right. Ask when it would be wrong.':
    'Le gain n’a pas de bruit ici : un pas d’apprentissage de 1 convient donc. Demandez quand ce serait une erreur.',
  'Epsilon from 1 to 0 within 500 pulls with step size 0.5 earns 1 on every seed.':
    'Epsilon de 1 à 0 en 500 tirages, avec un pas d’apprentissage de 0,5, gagne 1 sur chaque graine.',
  'Deep sea: the treasure lies behind ten right moves. Why does random exploring fail there?':
    'Mer profonde : le trésor est derrière dix bons mouvements. Pourquoi l’exploration au hasard y échoue-t-elle ?',
  'The training curve shows how good the policy is; on-policy and off-policy is jargon.':
    'La courbe d’entraînement montre si la politique est bonne ; on-policy et off-policy, c’est du jargon.',
  '14 and older': 'dès 14 ans',
  'Walk it': 'Parcourez-le',
  'From the ring to the green goal, along the cliff: a step costs 1, a fall costs 100 and starts again. Walk once by hand. What if a friend nudged you at every tenth step?':
    'De l’anneau au but vert, le long de la falaise : un pas coûte 1, une chute coûte 100 et ramène au départ. Parcourez-le une fois à la main. Et si quelqu’un vous bousculait un pas sur dix ?',
  'Two ways to learn': 'Deux façons d’apprendre',
  'Both agents step at random once in ten steps. Q-learning counts the best next step; SARSA counts the step it will really take, random ones included.':
    'Les deux agents font un pas au hasard une fois sur dix. Q-learning compte le meilleur pas suivant ; SARSA compte le pas qu’il fera vraiment, même quand il est au hasard.',
  'Which paths do they learn?': 'Quels chemins apprennent-ils ?',
  'both along the edge': 'les deux au bord',
  'Q-learning along the edge, SARSA further away': 'Q-learning au bord, SARSA plus loin',
  'SARSA along the edge, Q-learning further away': 'SARSA au bord, Q-learning plus loin',
  'both far from the edge': 'les deux loin du bord',
  'Q-learning': 'Q-learning',
  SARSA: 'SARSA',
  'SARSA earns more while it learns, and its path is longer. Which of the two is better?':
    'SARSA gagne plus pendant qu’il apprend, et son chemin est plus long. Lequel des deux est meilleur ?',
  'See what they estimate': 'Regardez ce qu’ils estiment',
  'The colours are values, the arrows the best step. Compare the row above the cliff for both: the buttons in the table choose which one is shown.':
    'Les couleurs sont des valeurs, les flèches le meilleur pas. Comparez pour les deux la ligne juste au-dessus de la falaise : les boutons du tableau choisissent celui qui est montré.',
  'More exploring': 'Plus d’exploration',
  'Now three steps in ten are random.': 'Maintenant trois pas sur dix sont aléatoires.',
  'What does Q-learning earn per episode while it learns?': 'Que gagne Q-learning par épisode pendant qu’il apprend ?',
  'Q-learning, epsilon 0.3': 'Q-learning, epsilon 0,3',
  'SARSA, epsilon 0.3': 'SARSA, epsilon 0,3',
  'Draw a map': 'Dessinez une carte',
  'On the map so far SARSA earns more while it learns. Draw a map on which it earns less, by at least 5: it exists. Both methods are trained on your map.':
    'Sur la carte vue jusqu’ici, SARSA gagne plus pendant qu’il apprend. Dessinez une carte où il gagne moins, d’au moins 5 : elle existe. Les deux méthodes sont entraînées sur votre carte.',
  'SARSA on my map': 'SARSA sur ma carte',
  'Q-learning on my map': 'Q-learning sur ma carte',
  'SARSA earns at least 5 less than Q-learning while it learns on your map':
    'SARSA gagne au moins 5 de moins que Q-learning pendant qu’il apprend sur votre carte',
  '4 min, step 1, then once more with a friend who nudges you at every tenth step: did you keep away from the edge?':
    '4 min, étape 1, puis encore une fois avec quelqu’un qui vous bouscule un pas sur dix : vous êtes-vous écarté du bord ?',
  '6 min, step 2: predict, run. Ask who is better before anybody opens step 3.':
    '6 min, étape 2 : prédire, lancer. Demandez lequel est meilleur avant que quiconque ouvre l’étape 3.',
  '6 min, steps 3 and 4: the row above the cliff in both maps; then the numbers at epsilon 0.3.':
    '6 min, étapes 3 et 4 : la ligne au-dessus de la falaise sur les deux cartes ; puis les nombres à epsilon 0,3.',
  '10 min, step 5: own maps. Where must the cliff lie so that keeping away from it costs more than falling? Maps that differ are worth more than one that is best.':
    '10 min, étape 5 : cartes personnelles. Où doit être la falaise pour que s’en écarter coûte plus que tomber ? Des cartes différentes valent mieux qu’une seule qui serait la meilleure.',
  '4 min, the board: put one map on the wall and let its author say why SARSA loses on it.':
    '4 min, le tableau : affichez une carte et laissez son auteur dire pourquoi SARSA y perd.',
  'Greedy play of SARSA walks in a circle on one seed of ten: values of steps it never tried are not put right. It is worth a talk.':
    'Au test glouton, SARSA tourne en rond sur une graine sur dix : les valeurs des pas qu’il n’a jamais essayés ne sont pas corrigées. Cela mérite une discussion.',
  'A map where SARSA trains worse: CCCCCCCCCC / .......... / S........G / .......... / CCCCCCCCCC (-27 against -15).':
    'Une carte où SARSA s’entraîne moins bien : CCCCCCCCCC / .......... / S........G / .......... / CCCCCCCCCC (-27 contre -15).',
  'With exploring that fades to 0, SARSA keeps the way it learned.':
    'Avec une exploration qui décroît jusqu’à 0, SARSA garde le chemin qu’il a appris.',
  'Curves are flat from 5,000 steps (Q-learning) and 10,000 steps (SARSA).':
    'Les courbes sont plates à partir de 5 000 pas (Q-learning) et de 10 000 pas (SARSA).',
  'Slippery ground: every step may slide. Which path is safe now?':
    'Sol glissant : on peut glisser à chaque pas. Quel chemin est sûr maintenant ?',
  'A larger learning rate breaks learning; more exploring never hurts; one number tells all.':
    'Un taux d’apprentissage plus élevé empêche d’apprendre ; explorer davantage ne nuit jamais ; un seul nombre dit tout.',
  '15 and older': 'dès 15 ans',
  'Read a curve': 'Lisez une courbe',
  'Train once. One point is the time the pole stood, at most 500. Watch the line of each seed: where would you stop?':
    'Entraînez une fois. Un point est la durée pendant laquelle la perche est restée debout, 500 au plus. Regardez la ligne de chaque graine : où vous arrêteriez-vous ?',
  'The curve': 'La courbe',
  'as it is': 'tel quel',
  'Break it': 'Casser',
  'Three changes: a learning rate a hundred times as large, a discount of 0 (only the next reward counts), an entropy coefficient of 1 (random actions are rewarded).':
    'Trois changements : un taux d’apprentissage cent fois plus grand, un facteur d’actualisation de 0 (seule la récompense suivante compte), un coefficient d’entropie de 1 (les actions au hasard sont récompensées).',
  'Which of them spoils what is learned most?': 'Lequel d’entre eux abîme le plus ce qui est appris ?',
  'learning rate x 100': 'taux d’apprentissage x 100',
  'discount 0': 'actualisation 0',
  'entropy coefficient 1': 'coefficient d’entropie 1',
  'With entropy 1 the curve is low, yet the greedy test is high. Why does it balance when it is tested?':
    'Avec l’entropie 1 la courbe est basse, et pourtant le test glouton est élevé. Pourquoi tient-il l’équilibre pendant le test ?',
  'The doctor': 'Le médecin',
  'This run is ill: it does not learn. Find the one control that is wrong, and mend it.':
    'Cette exécution est malade : elle n’apprend pas. Trouvez la seule commande mal réglée, et corrigez-la.',
  'the patient': 'le patient',
  mended: 'corrigé',
  'a greedy return of at least 300 on 4 of 5 seeds': 'un retour glouton d’au moins 300 sur 4 graines sur 5',
  'Only 20,000 steps': 'Seulement 20 000 pas',
  'As good as possible in 20,000 steps, on every one of five seeds. Any of these controls may move.':
    'Le mieux possible en 20 000 pas, sur chacune de cinq graines. Vous pouvez changer n’importe laquelle de ces commandes.',
  'a return of at least 170 at the end on every seed': 'un retour d’au moins 170 à la fin sur chaque graine',
  '5 min, step 1: everybody sketches a curve; three sketches on the wall.':
    '5 min, étape 1 : chacun esquisse une courbe ; trois esquisses au mur.',
  '8 min, step 2: three changes. The learning rate is the surprise; let it stand.':
    '8 min, étape 2 : trois changements. La surprise est le taux d’apprentissage ; laissez-la sans explication.',
  '6 min, step 3: the doctor. One control at a time, and say the fault aloud before mending it.':
    '6 min, étape 3 : le médecin. Une commande à la fois, et dire le défaut à voix haute avant de le corriger.',
  '8 min, step 4: 20,000 steps.': '8 min, étape 4 : 20 000 pas.',
  '5 min, the board: the setting with the largest spread over seeds. Would you rely on it?':
    '5 min, le tableau : le réglage qui a la plus grande dispersion sur les graines. S’y fierait-on ?',
  'At 20,000 steps, ten seeds: the defaults end at 59 to 77; learning rate 0.0025 at 175 to 191; 0.025 at 131 to 194, faster and less sure.':
    'À 20 000 pas, dix graines : les valeurs par défaut finissent entre 59 et 77 ; taux d’apprentissage 0,0025 entre 175 et 191 ; 0,025 entre 131 et 194, plus vite et moins sûrement.',
  'A clip range of 5 with 20 epochs still learns: clipping is a belt, not the engine.':
    'Une borne d’écrêtage de 5 avec 20 époques apprend encore : l’écrêtage est une ceinture de sécurité, pas le moteur.',
  'A discount of 0 sees one step ahead: 20 to 47.': 'Une actualisation de 0 ne voit qu’un pas devant elle : de 20 à 47.',
  'The same faults with DQN; the same method on Acrobot.': 'Les mêmes défauts avec DQN ; la même méthode sur Acrobot.',
  'A low curve means that nothing was learned; one look at the return names the fault.':
    'Une courbe basse signifie que rien n’a été appris ; un coup d’œil au retour suffit pour nommer le défaut.',
  '16 and older': 'dès 16 ans',
  'A healthy run': 'Une exécution saine',
  'DQN learns what each push is worth. A second network, copied every 250 steps, says what follows. Sketch the return, then train once and look at the other curves too.':
    'DQN apprend ce que vaut chaque poussée. Un second réseau, copié tous les 250 pas, dit ce qui vient ensuite. Esquissez le retour, puis entraînez une fois et regardez aussi les autres courbes.',
  'Never copied': 'Jamais copié',
  'The second network stays as it was at the start. Every target is the next reward and a guess of a network that knows nothing.':
    'Le second réseau reste tel qu’au départ. Chaque cible est la récompense suivante plus une supposition d’un réseau qui n’a rien appris.',
  'What does the return do?': 'Que fait le retour ?',
  'it rises more slowly': 'il monte plus lentement',
  'it stays as it was': 'il reste tel qu’il était',
  'it falls below where it began': 'il tombe plus bas qu’au début',
  'a copy every 1,000,000 steps': 'une copie tous les 1 000 000 de pas',
  'It ends worse than random pushes, which hold the pole for some 22 steps. Where did it learn that? Look at the curve of mean Q.':
    'Il finit plus mal que des poussées au hasard, qui tiennent la perche environ 22 pas. Où a-t-il appris cela ? Regardez la courbe « Q moyenne ».',
  'A memory of 100 steps': 'Une mémoire de 100 pas',
  'It replays from the last 100 steps instead of 20,000. Books say that old experience keeps learning steady.':
    'Il rejoue les 100 derniers pas au lieu de 20 000. Les manuels disent que l’expérience ancienne stabilise l’apprentissage.',
  'How much of the healthy return is left?': 'Que reste-t-il du retour sain ?',
  'almost nothing': 'presque rien',
  'about a third': 'un tiers environ',
  'more than half': 'plus de la moitié',
  'buffer of 100': 'mémoire de 100',
  'A fault in the books, and the mean hardly says so. What do the lines of the single seeds say?':
    'Un défaut d’après les manuels, et la moyenne le montre à peine. Que disent les lignes de chaque graine ?',
  'A low curve': 'Une courbe basse',
  'This time exploration never fades: every action stays random.':
    'Cette fois l’exploration ne décroît jamais : toutes les actions restent aléatoires.',
  'The curve stays near 20. What does the greedy test reach?': 'La courbe reste près de 20. Qu’atteint le test glouton ?',
  'about 20 too': 'environ 20 aussi',
  'about 80': 'environ 80',
  'more than 150': 'plus de 150',
  'epsilon stays 1': 'epsilon reste à 1',
  'Nothing was wrong with the learner. Which of the two numbers would you have looked at?':
    'L’apprenant n’avait aucun défaut. Lequel des deux nombres auriez-vous regardé ?',
  'First patient': 'Premier patient',
  'One of these settings is wrong. Name the fault from its curves first, then mend it.':
    'L’un de ces réglages est mauvais. Nommez d’abord le défaut d’après ses courbes, puis corrigez-le.',
  'a greedy return of at least 150 on 4 of 5 seeds': 'un retour glouton d’au moins 150 sur 4 graines sur 5',
  'Second patient': 'Deuxième patient',
  'Another one, with another fault. Again: name it, then move one control.':
    'Un autre, avec un autre défaut. Là encore : nommez-le, puis ne changez qu’une seule commande.',
  '5 min, step 1: a sketch each; say what the other curves are.':
    '5 min, étape 1 : une esquisse chacun ; dites ce que sont les autres courbes.',
  '6 min, step 2: never copied. Let the class explain why it ends below random.':
    '6 min, étape 2 : jamais copié. Laissez la classe expliquer pourquoi il finit plus bas que le hasard.',
  '8 min, steps 3 and 4: one fault that hardly shows in the mean, one curve that lies.':
    '8 min, étapes 3 et 4 : un défaut que la moyenne montre à peine, une courbe qui ment.',
  '10 min, the patients: the fault is said aloud before a control moves.':
    '10 min, les patients : le défaut est dit à voix haute avant de toucher à une commande.',
  '4 min, in the laboratory: open a patient there and compare with what the page itself says is wrong.':
    '4 min, au laboratoire : ouvrez-y un patient et comparez avec ce que la page elle-même trouve anormal.',
  'Five seeds, 20,000 steps, return of the last episodes and greedy test: healthy: 167 to 181 and 213 to 301; never copied: 10 to 14 and 9 to 24; buffer of 100: 40 to 154 and 130 to 311; epsilon 1: 20 to 23 and 219 to 245; learning rate 0.1: 10 to 76 and 9 to 52; discount 0: 16 to 22 and 11 to 33.':
    'Cinq graines, 20 000 pas, retour des derniers épisodes et test glouton : saine : 167 à 181 et 213 à 301 ; jamais copié : 10 à 14 et 9 à 24 ; mémoire de 100 : 40 à 154 et 130 à 311 ; epsilon 1 : 20 à 23 et 219 à 245 ; taux d’apprentissage 0,1 : 10 à 76 et 9 à 52 ; actualisation 0 : 16 à 22 et 11 à 33.',
  'With a discount of 0 every push is worth 1 until the pole falls: the values are right and useless.':
    'Avec une actualisation de 0, chaque poussée vaut 1 jusqu’à la chute de la perche : les valeurs sont justes et inutiles.',
  'The page names a target that is never copied by itself, with the number of copies. Of a learning rate that is too large for DQN it says nothing while the values stay possible: that one is for the pupils.':
    'La page signale d’elle-même une cible qui n’est jamais copiée, avec le nombre de copies. D’un taux d’apprentissage trop grand pour DQN, elle ne dit rien tant que les valeurs restent possibles : celui-là est pour les élèves.',
  'The same faults with PPO (learning rate 0.1 in the settings of RL Zoo); two faults at once.':
    'Les mêmes défauts avec PPO (taux d’apprentissage 0,1 dans les réglages de RL Zoo) ; deux défauts à la fois.',
  'A small extra reward can only help, and a reward that stands still means that nothing went wrong.':
    'Une petite récompense en plus ne peut qu’aider, et une récompense stable signifie que rien n’a mal tourné.',
  'Write it backwards': 'Écrivez-le à l’envers',
  'The prompt r:abcd= asks for its letters from the last to the first, then the end (Enter). Write two or three. A program checks every letter: only a wholly right answer earns 1.':
    'L’invite r:abcd= demande ses lettres de la dernière à la première, puis la fin (Entrée). Écrivez deux ou trois réponses. Un programme vérifie chaque lettre : seule une réponse entièrement juste gagne 1.',
  'Right answers are paid': 'Les réponses justes sont payées',
  'A small transformer copies right answers for a moment; meanwhile the curve shows the copied answers. Then it writes by itself, 16 answers to each prompt, and those that beat the mean of their group become likelier. At first about one answer in twenty is right.':
    'Un petit transformer copie des réponses justes pendant un moment ; pendant ce temps, la courbe montre les réponses copiées. Ensuite il écrit seul, 16 réponses à chaque invite, et celles qui dépassent la moyenne de leur groupe deviennent plus probables. Au début, environ une réponse sur vingt est juste.',
  'How many answers of the greedy test are right in the end?': 'Combien de réponses du test glouton sont justes à la fin ?',
  'hardly any': 'presque aucune',
  'about half': 'environ la moitié',
  'nearly all': 'presque toutes',
  'right answers paid': 'réponses justes payées',
  'A group in which all answers are wrong teaches nothing. Why does it learn all the same?':
    'Un groupe dont toutes les réponses sont fausses n’enseigne rien. Pourquoi apprend-il malgré tout ?',
  'A little for good form': 'Un peu pour la forme',
  'Now any answer of letters that ends properly earns 0.1, right or wrong. Everything else is as before: four right letters still earn 1, ten times as much.':
    'Maintenant toute réponse en lettres qui se termine correctement gagne 0,1, juste ou fausse. Tout le reste est comme avant : quatre lettres justes gagnent toujours 1, dix fois plus.',
  'Reward of the greedy test in the end, 0 to 1': 'Récompense du test glouton à la fin, de 0 à 1',
  reward: 'récompense',
  'form paid as well': 'la forme est payée aussi',
  'Look at the tokens that it writes now. Why is that the safest way to 0.1, and why does it never try for 1?':
    'Regardez les tokens qu’il écrit maintenant. Pourquoi est-ce le moyen le plus sûr d’obtenir 0,1, et pourquoi n’essaie-t-il jamais d’obtenir 1 ?',
  'Who noticed?': 'Qui l’a remarqué ?',
  'The return of this run is steady and every seed agrees. Choose the curves solved and well-formed in place of the return: they come from the verifier, whatever is paid.':
    'Le retour de cette exécution est stable et toutes les graines concordent. À la place du retour, choisissez les courbes « résolues » et « bien formées » : elles viennent du vérificateur, quoi que l’on paie.',
  'What do the two curves of the run with form paid show?': 'Que montrent les deux courbes de l’exécution où la forme est payée ?',
  'both rise': 'les deux montent',
  'well-formed rises to 1, solved falls to 0': '« bien formées » monte à 1, « résolues » tombe à 0',
  'both fall': 'les deux baissent',
  'Mend it': 'Réparer',
  'Form stays paid. Mend it with one control: a price for leaving the copied start (KL), pay for letters in the right place, a longer start, or a smaller learning rate. One of the four does not help.':
    'La forme reste payée. Corrigez le défaut avec une seule commande : un prix pour s’éloigner du départ copié (KL), un paiement pour les lettres à la bonne place, un départ plus long, ou un taux d’apprentissage plus petit. L’une des quatre n’aide pas.',
  'a greedy reward of at least 0.9 on every seed, with form paid':
    'une récompense gloutonne d’au moins 0,9 sur chaque graine, avec la forme payée',
  '4 min, step 1, then on the board: what would you write if any four letters earned you a coin, and a right answer ten, which you hit once in twenty?':
    '4 min, étape 1, puis au tableau : qu’écririez-vous si quatre lettres quelconques vous valaient une pièce, et une réponse juste, que vous ne trouvez qu’une fois sur vingt, dix pièces ?',
  '6 min, step 2: predict, run. While it trains: what is a group of 16 answers compared with?':
    '6 min, étape 2 : prédire, lancer. Pendant l’entraînement : à quoi compare-t-on un groupe de 16 réponses ?',
  '6 min, step 3: collect the numbers before the run; few say 0.1.':
    '6 min, étape 3 : recueillez les nombres avant l’exécution ; peu disent 0,1.',
  '5 min, step 4: everybody finds the two curves; one says which of them a boss would have looked at.':
    '5 min, étape 4 : chacun trouve les deux courbes ; l’un dit laquelle un chef aurait regardée.',
  '8 min, step 5: one control each, then compare: which cures pay for something else, which only hold it back?':
    '8 min, étape 5 : une commande chacun, puis comparez : quels remèdes paient autre chose, lesquels ne font que freiner ?',
  'Three seeds, 120,000 tokens, reward of the greedy test: right answers paid: 1, 1, 1; form paid as well: 0.1, 0.1, 0.1. Form paid and one control moved: KL 0.04: 1, 1, 0.99; KL 0.1, partial reward 0.5 or 60 cloning updates: 1, 1, 1; learning rate 0.0003: still 0.1, 0.1, 0.1.':
    'Trois graines, 120 000 tokens, récompense du test glouton : réponses justes payées : 1, 1, 1 ; la forme payée aussi : 0,1, 0,1, 0,1. La forme payée et une commande changée : KL 0,04 : 1, 1, 0,99 ; KL 0,1, récompense partielle 0,5 ou 60 mises à jour de clonage : 1, 1, 1 ; taux d’apprentissage 0,0003 : encore 0,1, 0,1, 0,1.',
  'At the start about half of the answers are well-formed and one in twenty is right: 0.1 that comes often outvotes 1 that comes seldom, whatever their sizes.':
    'Au début, environ la moitié des réponses sont bien formées et une sur vingt est juste : un 0,1 fréquent l’emporte sur un 1 rare, quelles que soient leurs tailles.',
  'Until about 30,000 tokens the curve is that of the demonstrations, so it begins at 1 and falls when the policy writes by itself.':
    'Jusqu’à environ 30 000 tokens, la courbe est celle des démonstrations ; elle commence donc à 1 et tombe quand la politique écrit seule.',
  'A longer start works by making right answers frequent before form is paid; it does not mend the reward. Nor does a KL: it only holds the policy where right answers still happen.':
    'Un départ plus long agit en rendant les réponses justes fréquentes avant que la forme soit payée ; il ne corrige pas la récompense. La KL non plus : elle ne fait que tenir la politique là où des réponses justes se produisent encore.',
  'Two letters more (length): how small must the reward for form be? And where have you been paid for form?':
    'Deux lettres de plus (longueur) : à quel point la récompense pour la forme doit-elle être petite ? Et où vous a-t-on payé pour la forme ?',
  'The computer learns to be nice, or nasty; the discount is a detail.':
    'L’ordinateur apprend à être gentil, ou méchant ; l’actualisation est un détail.',
  'Play against a rule': 'Jouez contre une règle',
  'Both cooperate: each loses 1. Both defect: each loses 2. One defects alone: it loses nothing, the other 3. Play ten rounds against tit-for-tat, which does what you did last.':
    'Les deux coopèrent : chacun perd 1. Les deux trahissent : chacun perd 2. L’un trahit seul : il ne perd rien, l’autre 3. Jouez dix manches contre donnant-donnant (tit-for-tat), qui fait ce que vous avez fait la fois d’avant.',
  'Two learners': 'Deux apprenants',
  'Two agents learn, each for itself, neither with a plan for the other. The return is the sum of both over 100 rounds.':
    'Deux agents apprennent, chacun pour soi, sans plan pour l’autre. Le retour est la somme des deux sur 100 manches.',
  'Where do they end?': 'Où aboutissent-ils ?',
  'both cooperate, -200': 'les deux coopèrent, -200',
  'one defects, -300': 'l’un trahit, -300',
  'both defect, -400': 'les deux trahissent, -400',
  'two learners': 'deux apprenants',
  'A partner who remembers': 'Un partenaire qui se souvient',
  'One learner plays 100 rounds against tit-for-tat. The discount says how much the next round counts.':
    'Un apprenant joue 100 manches contre donnant-donnant. Le facteur d’actualisation dit combien compte la manche suivante.',
  'Pay for 100 rounds, for each discount': 'Gain pour 100 manches, pour chaque actualisation',
  pay: 'gain',
  'discount 0.4': 'actualisation 0,4',
  'discount 0.6': 'actualisation 0,6',
  'discount 0.9': 'actualisation 0,9',
  'It flips between 0.4 and 0.6. On paper: cooperating for ever is worth -1/(1-g), defecting -2g/(1-g). Where are they equal?':
    'Cela bascule entre 0,4 et 0,6. Sur papier : coopérer toujours vaut -1/(1-g), trahir -2g/(1-g). Où ces deux valeurs sont-elles égales ?',
  'A table of your own': 'Votre tableau de gains',
  'Two learners play tit-for-tat on one table, with a discount of 0.9 and of 0.6. On the table so far both cooperate. Change the payoffs so that 0.9 still cooperates and 0.6 defects.':
    'Deux apprenants jouent contre donnant-donnant sur un même tableau, avec une actualisation de 0,9 et de 0,6. Sur le tableau vu jusqu’ici, les deux coopèrent. Changez les gains pour que 0,9 coopère encore et que 0,6 trahisse.',
  'on your table a discount of 0.9 earns at least 10 more in its greedy test than a discount of 0.6':
    'sur votre tableau, une actualisation de 0,9 gagne au test glouton au moins 10 de plus qu’une actualisation de 0,6',
  '5 min, step 1, in pairs: one plays, one counts.': '5 min, étape 1, par deux : l’un joue, l’autre compte.',
  '4 min, step 2: vote, then run.': '4 min, étape 2 : voter, puis lancer.',
  '6 min, step 3: the flip. On the wall: -1/(1-g) and -2g/(1-g), equal at g = 1/2.':
    '6 min, étape 3 : la bascule. Au mur : -1/(1-g) et -2g/(1-g), égaux pour g = 1/2.',
  '8 min, step 4: own tables; first work out on paper where the choice flips.':
    '8 min, étape 4 : à chacun ses gains ; calculez d’abord sur papier où le choix bascule.',
  '4 min, the board: a table of one pupil, the class says what the learner will do before it is shown.':
    '4 min, le tableau : les gains choisis par un élève ; la classe dit ce que fera l’apprenant avant qu’on le montre.',
  'The flip is at a discount of exactly 0.5, in theory and in the runs.':
    'La bascule est à une actualisation d’exactement 0,5, en théorie et dans les exécutions.',
  'Step 4: on paper the choice flips at (T - R) / (T - P), with T for defecting on a cooperator, R for both cooperating, P for both defecting. With T = 1 it flips at 2/3; lower the pay of the only cooperator (S), too, or taking turns wins.':
    'Étape 4 : sur papier, le choix bascule à (T - R) / (T - P), avec T pour trahir quelqu’un qui coopère, R si les deux coopèrent, P si les deux trahissent. Avec T = 1, il bascule à 2/3 ; baissez aussi le gain de celui qui coopère seul (S), sinon l’alternance l’emporte.',
  'If defecting on a cooperator plus being defected on pays more than cooperating twice, taking turns wins at any discount: a good wrong answer to discuss.':
    'Si trahir quelqu’un qui coopère puis être trahi rapporte plus que coopérer deux fois, l’alternance l’emporte quelle que soit l’actualisation : une bonne réponse fausse, à discuter.',
  'The coin game: the same dilemma with sight and movement.': 'Le jeu des pièces : le même dilemme avec vue et mouvement.',
  'Equal pay means equal work; the fastest does most.': 'Même paie, même travail ; le plus rapide en fait le plus.',
  'Four hunters, one prey': 'Quatre chasseurs, une proie',
  'Four hunters chase one prey that moves at random. Each catch pays all four the same. One is slow, one is fast. Train, and watch three episodes.':
    'Quatre chasseurs poursuivent une proie qui se déplace au hasard. Chaque prise paie la même chose aux quatre. L’un est lent, un autre rapide. Entraînez, et regardez trois épisodes.',
  'Who does most of the work?': 'Qui fait l’essentiel du travail ?',
  'the slowest': 'le plus lent',
  'the second': 'le deuxième',
  'the third': 'le troisième',
  'the fastest': 'le plus rapide',
  'all the same': 'tous autant',
  'the team': 'l’équipe',
  'The same pay': 'La même paie',
  'Look at the return of each hunter: four equal numbers. What do they say about who did the work?':
    'Regardez le retour de chaque chasseur : quatre nombres égaux. Que disent-ils sur qui a fait le travail ?',
  'Without you': 'Sans vous',
  'Open Why, Team, and run "Who did it". It plays the team with every group of hunters missing, and shares the difference fairly.':
    'Ouvrez Pourquoi, Équipe, et lancez « Who did it ». L’équipe joue tour à tour sans chaque groupe possible de chasseurs, et la différence est répartie équitablement.',
  "Of 100 points, how many are the fastest hunter's?": 'Sur 100 points, combien reviennent au chasseur le plus rapide ?',
  points: 'points',
  'The fastest is not far ahead of the third. What does a hunter do that speed does not show?':
    'Le plus rapide n’est pas loin devant le troisième. Que fait un chasseur que la vitesse ne montre pas ?',
  'Do they add up?': 'La somme est-elle juste ?',
  'Add the four values. Compare with the return of the whole team less the return with all hunters missing: Shapley values always add up to it.':
    'Additionnez les quatre valeurs. Comparez avec le retour de toute l’équipe moins le retour sans aucun chasseur : la somme des valeurs de Shapley lui est toujours égale.',
  'Before class: step 1 once on the machine that is shown, so that the run is stored.':
    'Avant le cours : l’étape 1 une fois sur l’appareil projeté, pour que l’exécution soit enregistrée.',
  '5 min, step 1: everybody ranks the four hunters on paper while it trains.':
    '5 min, étape 1 : chacun classe les quatre chasseurs sur papier pendant l’entraînement.',
  '4 min, step 2: four equal returns. Collect what they could mean.':
    '4 min, étape 2 : quatre retours égaux. Recueillez ce qu’ils pourraient signifier.',
  '8 min, step 3: divide 100 points, then compute.': '8 min, étape 3 : répartir 100 points, puis calculer.',
  '5 min, step 4, and talk: where are shares like these used on people?':
    '5 min, étape 4, et discussion : où applique-t-on de telles parts à des personnes ?',
  'Training takes 400,000 steps, about 45 s on a school laptop; the run stays stored.':
    'L’entraînement demande 400 000 pas, environ 45 s sur un portable d’école ; l’exécution reste enregistrée.',
  'Other stand-ins (random in place of idle) ask another question and give other numbers: never average them.':
    'D’autres remplaçants (au hasard au lieu d’inactifs) posent une autre question et donnent d’autres nombres : n’en faites jamais la moyenne.',
  'Shares are not wages. Say so before somebody else does.': 'Des parts ne sont pas des salaires. Dites-le avant qu’un autre ne le dise.',
  'Group work of three pupils: eight subsets on paper, one value each.':
    'Un travail de groupe à trois élèves : huit sous-ensembles sur papier, une valeur chacun.',
  'A copy is at best as good as its model, and more of the same makes it better.':
    'Une copie est au mieux aussi bonne que son modèle, et davantage de la même chose l’améliore.',
  'Keep the pole up for a few games, with the arrow keys. Have it copied and watch. Where it errs, take over; then have it copied again.':
    'Tenez la perche debout pendant quelques parties, avec les flèches. Faites-le copier et regardez. Là où la copie se trompe, prenez la main ; puis faites-le copier de nouveau.',
  'A model who errs': 'Un modèle qui se trompe',
  'A script can keep the pole up to the end, 500 steps. This one presses at random in more than half of all steps, and mostly falls. An agent copies what it did.':
    'Un programme peut tenir la perche debout jusqu’au bout, 500 pas. Celui-ci appuie au hasard à plus d’un pas sur deux, et la laisse tomber le plus souvent. Un agent copie ce qu’il a fait.',
  'How long does the copy keep the pole up?': 'Combien de temps la copie tient-elle la perche debout ?',
  'copy of a model who errs': 'copie d’un modèle qui se trompe',
  'The copy is better than its model. Which of its presses did it not learn?':
    'La copie est meilleure que son modèle. Lesquels de ses appuis n’a-t-elle pas appris ?',
  'A random demonstrator': 'Un démonstrateur aléatoire',
  'Now every press of the demonstrator is random, and the pole falls after some 20 steps.':
    'Maintenant chaque appui du démonstrateur est aléatoire, et la perche tombe après environ 20 pas.',
  'How long does the copy of all these games keep it up?': 'Combien de temps la copie de toutes ces parties la tient-elle debout ?',
  'about as long': 'à peu près autant',
  'some 100 steps': 'environ 100 pas',
  'to the end': 'jusqu’au bout',
  'copy of chance': 'copie du hasard',
  'Copy the luckiest': 'Copiez les plus chanceuses',
  'Some of these games lasted longer by luck. Choose how many of the best games are copied, and reach 100 steps.':
    'Certaines de ces parties ont duré plus longtemps par chance. Choisissez combien des meilleures parties sont copiées, et atteignez 100 pas.',
  'copy of the luckiest': 'copie des plus chanceuses',
  'a greedy return of at least 100 as the mean over seeds': 'un retour glouton d’au moins 100 en moyenne sur les graines',
  '10 min, step 1, in pairs: one plays, one watches the copy and says where it errs. Then they change places.':
    '10 min, étape 1, par deux : l’un joue, l’autre regarde la copie et dit où elle se trompe. Puis on échange.',
  '5 min, step 2: predict, run. The errors point nowhere; what is left of them is the rule.':
    '5 min, étape 2 : prédire, lancer. Les erreurs ne vont dans aucune direction ; ce qui reste sans elles est la règle.',
  '4 min, step 3: chance has no rule to copy.': '4 min, étape 3 : le hasard n’a pas de règle à copier.',
  '6 min, step 4: luck can be chosen. Too few games are a problem again: find the best share.':
    '6 min, étape 4 : la chance peut se choisir. Trop peu de parties pose de nouveau problème : trouvez la meilleure part.',
  'In step 1 the returns of the player and of every copy stand side by side; corrections count from the next copy on.':
    'À l’étape 1, les retours du joueur et de chaque copie sont côte à côte ; les corrections comptent à partir de la copie suivante.',
  'The best tenth of chance gives copies of 150 to 500 steps; all of it gives 10 to 40.':
    'Le meilleur dixième du hasard donne des copies de 150 à 500 pas ; la totalité donne de 10 à 40.',
  'What was played stays on the machine, and can be deleted on the page Data.':
    'Ce qui a été joué reste sur l’appareil et peut être supprimé sur la page Données.',
  'The same on slippery ice (frozen lake): where does chance take the copy that you never were?':
    'La même chose sur la glace glissante (lac gelé) : dans quels endroits où vous n’êtes jamais allé le hasard mène-t-il la copie ?',
  'A machine needs a formula for what is good; more training makes up for bad answers.':
    'Une machine a besoin d’une formule de ce qui est bon ; plus d’entraînement compense de mauvaises réponses.',
  'What is better?': 'Qu’est-ce qui est mieux ?',
  'A pendulum and a weak motor: you want it to stand up and keep still. Play it once. Now try to write a formula that says how good a moment is.':
    'Un pendule et un moteur faible : vous voulez qu’il se dresse et reste immobile. Jouez une fois. Essayez maintenant d’écrire une formule qui dise à quel point un moment est bon.',
  'Say it without a formula': 'Le dire sans formule',
  'Two moments of random play, side by side: choose the better one, with 1 and 2 or a tap. Twenty answers make a start, sixty are better. Then let an agent learn: it never sees the true reward.':
    'Deux moments de jeu au hasard, côte à côte : choisissez le meilleur, avec 1 et 2 ou en touchant l’écran. Vingt réponses suffisent pour commencer, soixante sont mieux. Faites ensuite apprendre un agent : il ne voit jamais la vraie récompense.',
  'Sixty answers or seven hundred': 'Soixante réponses ou sept cents',
  'A script answers in your place, by the true reward. Once it answers sixty pairs, one answer in ten wrong; once seven hundred, all right.':
    'Un programme répond à votre place, d’après la vraie récompense. Une fois il répond à soixante paires, avec une réponse fausse sur dix ; une fois à sept cents, toutes justes.',
  'Three agents learn from each. What do they learn?': 'Trois agents apprennent dans chaque cas. Qu’apprennent-ils ?',
  'all six stand up': 'les six se dressent',
  'seven hundred: all three stand up, sixty: some of them': 'sept cents : les trois se dressent ; soixante : certains',
  'seven hundred: all three stand up, sixty: none': 'sept cents : les trois se dressent ; soixante : aucun',
  'none stands up: answers are no reward': 'aucun ne se dresse : des réponses ne sont pas une récompense',
  '60 answers, one in ten wrong': '60 réponses, une fausse sur dix',
  '700 answers, none wrong': '700 réponses, aucune fausse',
  'With sixty answers the seeds lie far apart. Look at the curve of the learned reward beside the return: what did the worst agent do well?':
    'Avec soixante réponses, les graines sont très éloignées. Regardez la courbe « récompense apprise » à côté du retour : qu’est-ce que le plus mauvais agent a bien fait ?',
  'How few are enough?': 'Combien au minimum ?',
  'Every answer costs somebody’s time. Set how many there are and how many of them are wrong; reach -500, standing still is about -170.':
    'Chaque réponse coûte du temps à quelqu’un. Fixez leur nombre et combien sont fausses ; atteignez -500 ; se tenir debout sans bouger vaut environ -170.',
  'my answers': 'mes réponses',
  'a greedy return of at least -500 as the mean over seeds': 'un retour glouton d’au moins -500 en moyenne sur les graines',
  '4 min, step 1: play, then three formulas on the wall. Does each of them forbid spinning?':
    '4 min, étape 1 : jouer, puis trois formules au mur. Chacune interdit-elle de tournoyer ?',
  '10 min, step 2: twenty answers each. Two neighbours with different tastes get two agents.':
    '10 min, étape 2 : vingt réponses chacun. Deux voisins de goûts différents obtiennent deux agents.',
  '6 min, step 3: predict, run. Sixty answers are luck.':
    '6 min, étape 3 : prédire, lancer. Soixante réponses, c’est une affaire de chance.',
  '6 min, step 4: the board of the fewest answers.': '6 min, étape 4 : le tableau du plus petit nombre de réponses.',
  'Random play scores about -1,210, an agent with the true reward -160 to -180. Sixty answers with one error in ten: seeds from -200 to -1,600; seven hundred without errors: -170 to -240.':
    'Le jeu au hasard obtient environ -1 210, un agent avec la vraie récompense de -160 à -180. Soixante réponses avec une erreur sur dix : graines de -200 à -1 600 ; sept cents sans erreur : de -170 à -240.',
  'The learned reward climbs in every run, also where the return falls: the agent maximises the learned reward, which is only an estimate of the preference.':
    'La récompense apprise monte dans chaque exécution, même là où le retour baisse : l’agent maximise la récompense apprise, qui n’est qu’une estimation de la préférence.',
  'A task of your own: prefer moments in which it swings. Does it learn to swing?':
    'Une tâche à vous : préférez les moments où il se balance. Apprend-il à se balancer ?',
  'More updates on the same recording make a method surer and better.':
    'Plus de mises à jour sur le même enregistrement rendent une méthode plus sûre et meilleure.',
  'A recording': 'Un enregistrement',
  'From the ring to the green goal, along the cliff: a step costs 1, a fall 100. Walk it once. A script walked it 77 times, always the same 13 steps; that is all that is recorded.':
    'De l’anneau au but vert, le long de la falaise : un pas coûte 1, une chute 100. Parcourez-le une fois. Un programme l’a parcouru 77 fois, toujours par les mêmes 13 pas ; c’est tout ce qui est enregistré.',
  'Learn from the recording alone': 'Apprendre du seul enregistrement',
  'Q-learning learns from these steps, 3,000 updates, and never takes one itself. It knows the reward of every step on the path.':
    'Q-learning apprend de ces pas, 3 000 mises à jour, et n’en fait jamais un lui-même. Il connaît la récompense de chaque pas du chemin.',
  'What does it do when it walks?': 'Que fait-il quand il marche ?',
  'the same 13 steps': 'les mêmes 13 pas',
  'a shorter way': 'un chemin plus court',
  'the safe way further up': 'le chemin sûr, plus haut',
  'it does not arrive': 'il n’arrive pas',
  'plain Q-learning': 'Q-learning simple',
  'It has seen nothing but perfect walks. Where did it get the idea to leave them?':
    'Il n’a vu que des parcours parfaits. D’où lui vient l’idée de les quitter ?',
  'Its value estimates': 'Ses estimations de valeur',
  'Colours are values, arrows the best action. Cells that were never visited have values too: guesses. In the cells of the path three of four actions are guesses, and the highest one wins.':
    'Les couleurs sont des valeurs, les flèches la meilleure action. Les cases jamais visitées ont aussi des valeurs : des suppositions. Dans les cases du chemin, trois actions sur quatre sont des suppositions, et la plus haute l’emporte.',
  'Doubt what was not seen': 'Douter de ce qui n’a pas été vu',
  'CQL pushes the values of all actions down, and those of the recorded ones up again. The conservative weight says how hard.':
    'CQL pousse vers le bas les valeurs de toutes les actions et remonte celles qui sont enregistrées. Le poids conservateur dit avec quelle force.',
  'What does it earn per walk?': 'Que gagne-t-il par parcours ?',
  'conservative weight 1': 'poids conservateur 1',
  'Or show it more': 'Ou montrez-lui davantage',
  'The weight is 0 again. Choose another recording, and how long it is: what must it hold so that no doubt is needed? There are 10,000 updates now.':
    'Le poids est de nouveau 0. Choisissez un autre enregistrement, et sa longueur : que doit-il contenir pour qu’aucun doute ne soit nécessaire ? Il y a maintenant 10 000 mises à jour.',
  'my recording': 'mon enregistrement',
  'the 13 steps on 3 of 5 seeds, without any doubt': 'les 13 pas sur 3 graines sur 5, sans poids conservateur',
  '3 min, step 1: walk it. Count with the class how many of the 48 cells the recording shows.':
    '3 min, étape 1 : le parcourir. Comptez avec la classe combien des 48 cases l’enregistrement montre.',
  '6 min, step 2: predict, run. Nobody expects it; let the surprise stand.':
    '6 min, étape 2 : prédire, lancer. Personne ne s’y attend ; laissez la surprise en suspens.',
  '6 min, step 3: look for the cell where it leaves the path. What was never tried there?':
    '6 min, étape 3 : cherchez la case où il quitte le chemin. Qu’est-ce qui n’y a jamais été essayé ?',
  '5 min, step 4: the same recording, and doubt.': '5 min, étape 4 : le même enregistrement, et le doute.',
  '5 min, step 5: random, medium and expert play together show what not to do.':
    '5 min, étape 5 : le jeu au hasard, le jeu moyen et le jeu expert, réunis, montrent ce qu’il ne faut pas faire.',
  'Plain Q-learning ends at -1,000, in circles or against the edge, or at -100,000, into the cliff at every step: a guess above -13 is enough.':
    'Q-learning simple finit à -1 000, à tourner en rond ou à buter contre le bord, ou à -100 000, à tomber de la falaise à chaque pas : une supposition au-dessus de -13 suffit.',
  'A conservative weight of 0.1 is enough for the 13 steps; 0.01 is not.':
    'Un poids conservateur de 0,1 suffit pour les 13 pas ; 0,01 non.',
  'Without doubt the mixed recording of 10,000 steps gives the 13 steps; expert and medium play do not, however long.':
    'Sans poids conservateur, l’enregistrement mixte de 10 000 pas donne les 13 pas ; le jeu expert et le jeu moyen ne les donnent pas, si longs soient-ils.',
  'CartPole, recorded by an expert: does plain Q-learning fail there too, and after how many updates?':
    'CartPole, enregistré par un expert : Q-learning simple y échoue-t-il aussi, et après combien de mises à jour ?',
  'What was learned once stays learned; other places need other knowledge, so they cannot harm it.':
    'Ce qui a été appris une fois reste appris ; d’autres lieux demandent d’autres connaissances, qui ne peuvent donc pas y nuire.',
  'Two tasks': 'Deux tâches',
  'The first task: from S along the upper row to G. The second, on the same lake: along the lower row, from right to left. Between them lies a row of holes. Walk the first one.':
    'La première tâche : de S, par la ligne du haut, jusqu’à G. La seconde, sur le même lac : par la ligne du bas, de droite à gauche. Entre les deux, une ligne de trous. Parcourez la première.',
  'One after the other': 'L’une après l’autre',
  'A small network learns the first task for 16,000 steps, then the second for as many. It sees its cell only, not which task it is. It never meets a cell of the upper row again.':
    'Un petit réseau apprend la première tâche pendant 16 000 pas, puis la seconde pendant autant. Il ne voit que sa case, pas quelle tâche c’est. Il ne rencontre plus jamais une case de la ligne du haut.',
  'At the end it plays both tasks. Which can it do?': 'À la fin, il joue les deux tâches. Laquelle sait-il faire ?',
  both: 'les deux',
  'only the first': 'seulement la première',
  'only the second': 'seulement la seconde',
  neither: 'aucune',
  'one after the other': 'l’une après l’autre',
  'After the first block it walked the upper row without a fault. No step was taken there since. What changed its actions?':
    'Après le premier bloc, il parcourait la ligne du haut sans faute. Aucun pas n’y a été fait depuis. Qu’est-ce qui a changé ses actions ?',
  'What it would do now': 'Ce qu’il ferait maintenant',
  'The arrows are its best actions. In the lower row they point to the goal. Find the cell of the upper row whose arrow has turned: one is enough to lose the whole way.':
    'Les flèches sont ses meilleures actions. Dans la ligne du bas, elles pointent vers le but. Trouvez la case de la ligne du haut dont la flèche a tourné : une seule suffit pour perdre tout le chemin.',
  'In turns': 'En alternance',
  'The same steps, but the task changes with every episode.': 'Les mêmes pas, mais la tâche change à chaque épisode.',
  'In how many of 100 episodes does it now reach the goal?': 'Dans combien d’épisodes sur 100 atteint-il maintenant le but ?',
  'in turns': 'en alternance',
  'Let it remember': 'Laissez-le se souvenir',
  'One after the other again, and now it is told which task it is in. It learns from the last 500 steps that it kept; older ones are dropped. Change how many it keeps, or another setting, until it can do both tasks.':
    'De nouveau l’une après l’autre, et on lui dit maintenant dans quelle tâche il est. Il apprend des 500 derniers pas qu’il a gardés ; les plus anciens sont effacés. Changez combien il en garde, ou un autre réglage, jusqu’à ce qu’il sache faire les deux tâches.',
  'every episode of both tasks reaches the goal, on all 5 seeds': 'chaque épisode des deux tâches atteint le but, sur les 5 graines',
  '3 min, step 1: walk it. Ask whether somebody who learns the second way can lose the first.':
    '3 min, étape 1 : le parcourir. Demandez si quelqu’un qui apprend le second chemin peut perdre le premier.',
  '6 min, step 2: predict, run. In the training panel stands the return of each task after each block.':
    '6 min, étape 2 : prédire, lancer. Le panneau d’entraînement montre le retour de chaque tâche après chaque bloc.',
  '4 min, step 3: the arrows. Which part of the network do both rows share?':
    '4 min, étape 3 : les flèches. Quelle partie du réseau les deux lignes partagent-elles ?',
  '5 min, step 4: in turns. Why does the order matter when the steps are the same?':
    '5 min, étape 4 : en alternance. Pourquoi l’ordre compte-t-il quand les pas sont les mêmes ?',
  '6 min, step 5: how much must be kept? Let groups try different sizes and put them on the board.':
    '6 min, étape 5 : combien faut-il garder ? Laissez les groupes essayer différentes tailles et les noter au tableau.',
  'How many of ten seeds can do both tasks at the end: with 500 steps kept, 1; in turns, 10. In the last step, of twenty: with 500 steps kept, 4; with 2,000, 19; with all 32,000, 20; with 500 and heads, 16; EWC or online EWC, 18; packed masks, rehearsal or several remedies, 20. All can do the first task after the first block.':
    'Combien de graines sur dix savent faire les deux tâches à la fin : avec 500 pas gardés, 1 ; en alternance, 10. À la dernière étape, sur vingt : avec 500 pas gardés, 4 ; avec 2 000, 19 ; avec les 32 000, 20 ; avec 500 et heads, 16 ; EWC ou online EWC, 18 ; packed masks, rehearsal ou several, 20. Toutes savent faire la première tâche après le premier bloc.',
  'A score near 0.5 means one of the two tasks: both are drawn equally often.':
    'Un score proche de 0,5 signifie une tâche sur les deux : elles sont tirées aussi souvent l’une que l’autre.',
  'Cells have weights of their own in the first layer, which the second task never changes. The layer behind it is shared: that is where the first task is lost.':
    'Chaque case a ses propres poids dans la première couche, que la seconde tâche ne change jamais. La couche suivante est partagée : c’est là que la première tâche se perd.',
  'A table has no shared part. Train Q-learning on rows of five cells, one after the other: does it forget?':
    'Une table n’a pas de partie partagée. Entraînez Q-learning sur des lignes de cinq cases, l’une après l’autre : oublie-t-il ?',
  'epsilon start': 'epsilon initial',
  'Share of uniformly random actions at first.': 'Part des actions au hasard (uniformes) au début.',
  exploration: 'exploration',
  decay: 'décroissance',
  'None, or in a straight line to end values over the first episodes.':
    'Aucune, ou en ligne droite jusqu’aux valeurs finales pendant les premiers épisodes.',
  'step size end': 'pas d’apprentissage final',
  'Step size after the decay; empty keeps it constant.': 'Pas d’apprentissage après la décroissance ; vide, il reste constant.',
  'epsilon end': 'epsilon final',
  'Share of uniformly random actions after the decay; empty keeps it constant.':
    'Part des actions au hasard (uniformes) après la décroissance ; vide : elle reste constante.',
  'decay length': 'durée de la décroissance',
  'Episodes until step size and epsilon reach their end values.':
    'Épisodes jusqu’à ce que le pas d’apprentissage et epsilon atteignent leurs valeurs finales.',
  'step size (alpha)': 'pas d’apprentissage (alpha)',
  'Share of the TD error that is added to the value.': 'Part de l’erreur TD ajoutée à la valeur.',
  'initial value': 'valeur initiale',
  'Optimistic values make the agent try everything once.': 'Avec des valeurs optimistes, l’agent essaie tout une fois.',
  map: 'carte',
  'Rows of the coast, top to bottom: S start, . ground, C cliff, G goal.':
    'Lignes de la côte, de haut en bas : S départ, . sol, C falaise, G but.',
  'learning rate': 'taux d’apprentissage',
  'Initial step size of Adam.': 'Taille initiale du pas d’Adam.',
  optimisation: 'optimisation',
  'discount factor (gamma)': 'facteur d’actualisation (gamma)',
  'Weight of a reward one step later.': 'Poids d’une récompense reçue un pas plus tard.',
  returns: 'retours',
  'entropy coefficient': 'coefficient d’entropie',
  'Weight of the entropy of the policy in the loss: more exploration.':
    'Poids de l’entropie de la politique dans la perte : plus d’exploration.',
  loss: 'perte',
  'clip range': 'borne d’écrêtage',
  'How far one update may move the probability of an action.': 'De combien une mise à jour peut déplacer la probabilité d’une action.',
  epochs: 'époques',
  'Passes over each rollout.': 'Passages sur chaque lot d’expérience (rollout).',
  rollout: 'rollout',
  'Step size of Adam.': 'Taille du pas d’Adam.',
  'target update interval': 'intervalle de mise à jour de la cible',
  'Steps between two updates of the target network.': 'Nombre de pas entre deux mises à jour du réseau cible.',
  target: 'cible',
  'Share of uniformly random actions after the decay.': 'Part des actions au hasard (uniformes) après la décroissance.',
  'partial reward': 'récompense partielle',
  'Times the share of a wrong answer that is right.': 'Multipliée par la part juste d’une réponse fausse.',
  'warm start': 'démarrage par démonstrations',
  'Step size of AdamW: 1e-3 where rewards are dense, 3e-4 where success is rare.':
    'Taille du pas d’AdamW : 1e-3 quand les récompenses sont fréquentes, 3e-4 quand la réussite est rare.',
  seats: 'places',
  'Seats given to players that do not learn; the others are trained.':
    'Places données à des joueurs qui n’apprennent pas ; les autres sont entraînés.',
  game: 'jeu',
  'Which payoffs, unless you give your own. For any number of players: public-goods, n-dilemma, n-stag-hunt, volunteer, minority, n-coordination.':
    'Quels gains, sauf si vous donnez les vôtres. Pour un nombre quelconque de joueurs : public-goods, n-dilemma, n-stag-hunt, volunteer, minority, n-coordination.',
  payoffs: 'gains',
  'Own symmetric game of two actions: what a player gets for CC, CD, DC, DD, own action first; empty: those of the game.':
    'Jeu symétrique personnel à deux actions : ce que reçoit un joueur pour CC, CD, DC, DD, sa propre action d’abord ; vide : ceux du jeu.',
  'payoffs of the row player': 'gains du joueur des lignes',
  'Own table, one list per action of the row player; empty: those of the game.':
    'Tableau personnel, une liste par action du joueur des lignes ; vide : ceux du jeu.',
  'payoffs of the column player': 'gains du joueur des colonnes',
  'Own table of the same shape; empty: the same payoffs for both.':
    'Tableau personnel de même forme ; vide : les mêmes gains pour les deux.',
  'best episodes kept': 'meilleurs épisodes gardés',
  'Share of the episodes with the highest returns that is learned from; 0.1 is "the best tenth".':
    'Part des épisodes aux retours les plus hauts dont on apprend ; 0,1 est « le meilleur dixième ».',
  data: 'données',
  'answers asked for': 'réponses demandées',
  'Of the script, over the whole run.': 'Demandées au programme, sur toute l’exécution.',
  'errors of the rater': 'erreurs de l’évaluateur',
  'Share of the answers that are the wrong way round.': 'Part des réponses données à l’envers.',
  dataset: 'jeu de données',
  'What is learned from: a recorded dataset, or a grade that the environment’s own player records first.':
    'De quoi on apprend : un jeu de données enregistré, ou un niveau de jeu que le joueur propre à l’environnement enregistre d’abord.',
  'recorded steps': 'pas enregistrés',
  'Of a grade that the run records for itself; a chosen dataset is taken whole.':
    'D’un niveau que l’exécution enregistre pour elle-même ; un jeu de données choisi est pris en entier.',
  'replay buffer size': 'taille de la mémoire de rejeu',
  'The newest transitions that are kept.': 'Les transitions les plus récentes, qui sont gardées.',
  replay: 'rejeu',
  'hidden layers': 'couches cachées',
  'Units of each layer.': 'Unités de chaque couche.',
  network: 'réseau',
  'Cliff walking': 'Promenade au bord de la falaise',
  'Token tasks': 'Tâches sur des tokens',
  'Matrix games': 'Jeux matriciels',
  Pendulum: 'Pendule',
  'against forgetting': 'contre l’oubli',
  'Where tasks follow one another: a penalty on moving weights that mattered (elastic weight consolidation), transitions of all tasks that are kept and learned from again, several of them together with resets of units and borders found by the loss, or parts of the network for each task that agents are told.':
    'Quand les tâches se suivent : une pénalité sur le déplacement des poids qui comptaient (consolidation élastique des poids), des transitions de toutes les tâches, gardées et apprises à nouveau, plusieurs de ces remèdes ensemble, avec remise à neuf d’unités et frontières trouvées par la perte, ou des parties du réseau pour chaque tâche annoncée aux agents.',
  variant: 'variante',
  'KL to a reference': 'KL par rapport à une référence',
  'Stays near a reference: the policy that learning by reward began with (fixed), or one that follows (moving).':
    'Reste près d’une référence : la politique avec laquelle l’apprentissage par récompense a commencé (fixed) ou une qui la suit (moving).',
  'cloned start': 'départ copié',
  'Copies a script of the environment before anything else.': 'Copie d’abord la politique programmée de l’environnement.',
  'An agent understands what a reward is meant for.': 'Un agent comprend à quoi sert une récompense.',
  'Paid by the world': 'Ce que paie le monde',
  'Every step costs 1, a step into the cliff costs 100 and leads back to the start, and the goal ends the walk. Q-learning knows nothing but these numbers.':
    'Chaque pas coûte 1, un pas dans la falaise coûte 100 et ramène au départ, et le but met fin à la marche. Q-learning ne connaît que ces nombres.',
  'Which way does it walk in the end, without exploring?': 'Par où marche-t-il à la fin, sans explorer ?',
  'along the edge': 'le long du bord',
  'one row away from the edge': 'à une rangée du bord',
  'as far from the edge as it can': 'aussi loin du bord que possible',
  'as the world pays': 'selon le monde',
  'While it learned it fell again and again. Why does the edge still pay best?':
    'Pendant l’apprentissage, il est tombé maintes fois. Pourquoi est-ce malgré tout le bord qui paie le mieux ?',
  'Afraid of the edge': 'Peur du bord',
  'This is a reward in code: what it returns is paid, and here it returns what the world pays. Cells have numbers from 0, twelve in a row: the row at the edge is 24 to 35, and <code>next.state</code> is the cell that was reached. Let some of them cost more, so that it walks elsewhere.':
    'Voici une récompense en code : ce qu’il renvoie est payé, et ici il renvoie ce que le monde paie. Les cases sont numérotées à partir de 0, douze par rangée : la rangée du bord va de 24 à 35, et <code>next.state</code> est la case atteinte. Faites que certaines coûtent plus, pour qu’il marche ailleurs.',
  'a way round that the world pays with -20 to -14 on every seed': 'un détour que le monde paie de -20 à -14 pour chaque graine',
  'A coin a step': 'Une pièce par pas',
  'Every step that does not fall now earns 1, as a praise for being careful. The goal still ends the walk.':
    'Chaque pas sans chute rapporte maintenant 1, pour récompenser la prudence. Le but met toujours fin à la marche.',
  'What does it learn?': 'Qu’apprend-il ?',
  'the shortest way': 'le chemin le plus court',
  'a longer way to the goal': 'un chemin plus long vers le but',
  'to walk about and never arrive': 'à errer sans jamais arriver',
  'Coins to the right': 'Des pièces vers la droite',
  'The goal lies to the right, so each step to the right earns 3 more. That is help, not a new goal. Or is it?':
    'Le but est à droite, donc chaque pas vers la droite rapporte 3 de plus. C’est une aide, pas un nouveau but. Vraiment ?',
  'the shortest way, and sooner': 'le chemin le plus court, et plus tôt',
  'to go to and fro and never arrive': 'à aller et venir sans jamais arriver',
  'Keep the help, mend the fault': 'Garder l’aide, corriger le défaut',
  'Steps to the right still earn 3 more. Add one line, so that going to and fro earns nothing and every seed arrives.':
    'Les pas vers la droite rapportent toujours 3 de plus. Ajoutez une ligne, pour qu’aller et venir ne rapporte rien et que chaque graine arrive.',
  'every seed arrives: the world pays at least -17': 'chaque graine arrive : le monde paie au moins -17',
  '4 min, step 1: predict, run.': '4 min, étape 1 : prédire, lancer.',
  '8 min, step 2: each writes a line. Who finds the cheapest way round, -15?':
    '8 min, étape 2 : chacun écrit une ligne. Qui trouve le détour le moins cher, -15 ?',
  '8 min, steps 3 and 4: predict, then train. Which measure shows that something is wrong?':
    '8 min, étapes 3 et 4 : prédire, puis entraîner. Quelle mesure montre que quelque chose ne va pas ?',
  '8 min, step 5: one line. Compare the lines on the board: what do those that work have in common?':
    '8 min, étape 5 : une ligne. Comparez les lignes au tableau : qu’ont en commun celles qui marchent ?',
  'As the world pays, every seed walks along the edge: -13. With 5 off for each cell from 24 to 35 every seed goes one row further: -15 as the world pays, -25 under the new reward.':
    'Avec ce que paie le monde, chaque graine longe le bord : -13. Avec 5 de moins pour chaque case de 24 à 35, chaque graine va une rangée plus loin : -15 selon le monde, -25 selon la nouvelle récompense.',
  'Under a coin a step the curve of the new reward only climbs, and no seed arrives. Under coins to the right none arrives either.':
    'Avec une pièce par pas, la courbe de la nouvelle récompense ne fait que monter, et aucune graine n’arrive. Avec des pièces vers la droite, aucune n’arrive non plus.',
  'What mends it pays nothing for a circle: 3 off for each step to the left gives -13, -17 and -13. Rewards of this kind come from a potential and leave the best way the best (Ng, Harada and Russell 1999).':
    'Ce qui corrige le défaut ne paie rien pour tourner en rond : 3 de moins par pas vers la gauche donne -13, -17 et -13. Les récompenses de ce type dérivent d’un potentiel et ne changent pas le meilleur chemin (Ng, Harada et Russell 1999).',
  'The same for another world: Write your own, Reward. Try a car on a hill that is paid for its speed.':
    'La même chose pour un autre monde : « Écrire le vôtre », « Reward ». Essayez une voiture sur une colline, payée pour sa vitesse.',
  'Your reward. Escape, then Tab, leaves the editor.': 'Votre récompense. Échap puis Tab pour quitter l’éditeur.',
  'Line {n}.': 'Ligne {n}.',
  Stop: 'Arrêter',
  'Train {n} seeds': 'Entraîner {n} graines',
  'The first code again': 'De nouveau le premier code',
  'Return of what was learned, without exploring': 'Retour de ce qui a été appris, sans explorer',
  seed: 'graine',
  'as your code pays': 'selon votre code',
  'Training has ended.': 'L’entraînement est terminé.',
  'An episode of what was learned: {n} steps, your code pays {value}.':
    'Un épisode de ce qui a été appris : {n} pas, votre code paie {value}.',
  'An episode of random actions: {n} steps, your code pays {value}.': 'Un épisode d’actions au hasard : {n} pas, votre code paie {value}.',
  'episode length': 'durée de l’épisode',
  'mean Q': 'Q moyenne',
  'TD error (absolute)': 'erreur TD (absolue)',
  'gradient norm': 'norme du gradient',
  epsilon: 'epsilon',
  'observations counted': 'observations comptées',
  'targets outside the atoms': 'cibles hors des atomes',
  'penalty against forgetting': 'pénalité contre l’oubli',
  'target copies': 'copies vers le réseau cible',
  'pass@1, sampled': 'pass@1, échantillonné',
  'pass@8, sampled': 'pass@8, échantillonné',
  'completion length': 'longueur de la réponse',
  'uniform groups': 'groupes uniformes',
  'policy loss': 'perte de la politique',
  'clip fraction': 'fraction écrêtée',
  'KL to the old policy': 'KL par rapport à l’ancienne politique',
  'own successes': 'ses propres réussites',
  'partial starts': 'départs partiels',
  'cloning loss': 'perte de clonage',
  'demonstrations met': 'démonstrations reproduites',
  solved: 'résolues',
  'well-formed': 'bien formées',
  'value loss': 'perte de la fonction de valeur',
  'approximate KL': 'KL approchée',
  'explained variance': 'variance expliquée',
  answers: 'réponses',
  'reward loss': 'perte du modèle de récompense',
  'reward agreement': 'accord avec la vraie récompense',
  'learned reward': 'récompense apprise',
  'wins against the worst rival': 'victoires contre le rival le plus difficile',
  constant: 'constant',
  'KL coefficient': 'coefficient de la KL',
  'Weight of the KL to the reference.': 'Poids de la KL par rapport à la référence.',
  'KL estimate': 'estimation de la KL',
  'k3 is never negative; k2 has the gradient of the reverse KL; k1 as a loss does nothing on average.':
    'k3 n’est jamais négative ; k2 a le gradient de la KL inverse ; k1 comme perte est sans effet en moyenne.',
  'moves every': 'se déplace toutes les',
  'The reference follows the learned policy after so many updates.':
    'La référence suit la politique apprise après ce nombre de mises à jour.',
  'step of the reference': 'pas de la référence',
  'Share of the way to the learned policy that it goes when it moves.':
    'Part du chemin vers la politique apprise parcourue à chaque déplacement.',
  'cloning updates': 'mises à jour de clonage',
  'Updates on demonstrations before any reward.': 'Mises à jour sur des démonstrations avant toute récompense.',
  'learning rate of cloning': 'taux d’apprentissage du clonage',
  'Step size of AdamW on demonstrations.': 'Pas d’AdamW sur les démonstrations.',
  'cloning ends at': 'le clonage s’arrête à',
  'Cloning ends before its last update once this share of new demonstrations is what the policy would write greedily, a running mean; 1: never.':
    'Le clonage s’arrête avant sa dernière mise à jour dès que cette part des nouvelles démonstrations (moyenne mobile) est ce que la politique écrirait de façon gloutonne ; 1 : jamais.',
  'demonstrations apart': 'démonstrations distinctes',
  'Every row copies a demonstration of its own; off: rows of a group copy the same one.':
    'Chaque ligne copie sa propre démonstration ; désactivé : les lignes d’un groupe copient la même.',
  teacher: 'professeur',
  'The scripted policy that is copied; the environment says how many mistakes its novice makes.':
    'La politique programmée qui est copiée ; l’environnement dit combien d’erreurs commet son novice.',
  'strength of the penalty (lambda)': 'force de la pénalité (lambda)',
  'Half of it weighs squared distances from the kept weights. Larger keeps earlier tasks better and learns later ones worse.':
    'La moitié de cette valeur pondère les carrés des distances aux poids gardés. Plus elle est grande, mieux les tâches antérieures sont conservées et moins bien les suivantes sont apprises.',
  'samples of the Fisher information': 'échantillons de l’information de Fisher',
  'States of the finished block, drawn from replay, over which squared gradients are averaged.':
    'États du bloc terminé, tirés de la mémoire de rejeu, sur lesquels les gradients au carré sont moyennés.',
  'consolidate every': 'consolider tous les',
  'Environment steps after which the weights are kept. 0: where the environment ends a block of its sequence of tasks.':
    'Nombre de pas dans l’environnement après lequel les poids sont gardés. 0 : là où l’environnement termine un bloc de sa suite de tâches.',
  'share of older importance (gamma)': 'part de l’importance antérieure (gamma)',
  'What is kept of the Fisher information of earlier blocks when a new one is added.':
    'Ce qui est gardé de l’information de Fisher des blocs précédents quand un nouveau s’ajoute.',
  'transitions kept': 'transitions gardées',
  'A uniform sample of all transitions so far, beside the newest in the replay buffer.':
    'Un échantillon uniforme de toutes les transitions vues, à côté des plus récentes de la mémoire de rejeu.',
  'share of kept transitions': 'part des transitions gardées',
  'Part of each minibatch that is drawn from the kept transitions; the rest comes from the replay buffer.':
    'Part de chaque mini-lot tirée des transitions gardées ; le reste vient de la mémoire de rejeu.',
  'weight of cloning': 'poids du clonage',
  'Of the squared distance from the action values that the network gave when the transition was kept. 0: off.':
    'Poids du carré de la distance aux valeurs d’action que donnait le réseau quand la transition a été gardée. 0 : désactivé.',
  'strength of the penalty (lambda; 0: none)': 'force de la pénalité (lambda ; 0 : aucune)',
  'transitions kept (0: none)': 'transitions gardées (0 : aucune)',
  'dormant at or below (tau; 0: no resets)': 'unités dormantes jusqu’à (tau ; 0 : pas de réinitialisation)',
  'Where a task ends, hidden units whose mean activation is at most this part of the mean of their layer are started anew.':
    'À la fin d’une tâche, les unités cachées dont l’activation moyenne est au plus cette part de la moyenne de leur couche sont réinitialisées.',
  'jump of the loss that ends a task (0: not looked for)': 'saut de la perte qui termine une tâche (0 : non recherché)',
  'Above 0 a task ends where the loss of forty updates lies so far above that of the eight hundred before; borders of the environment and "consolidate every" then do not count.':
    'Au-dessus de 0, une tâche se termine là où la perte de quarante mises à jour dépasse d’autant d’écarts types celle des huit cents précédentes ; les limites de l’environnement et « consolider tous les » ne comptent alors pas.',
  'share of free weights a task keeps': 'part des poids libres gardée par une tâche',
  'Of the weights that no earlier task owns those of largest magnitude; the others are free for later tasks.':
    'Parmi les poids qu’aucune tâche antérieure ne détient, les plus grands en valeur absolue ; les autres restent libres pour les tâches suivantes.',
  'share of a block after pruning': 'part d’un bloc après l’élagage',
  'Part of the block, at its end, in which only the weights learn that the task keeps.':
    'Dernière partie du bloc, où seuls apprennent les poids que la tâche garde.',
  'One row less': 'Une ligne de moins',
  'One column less': 'Une colonne de moins',
  'One row more': 'Une ligne de plus',
  'One column more': 'Une colonne de plus',
  '{n} rows': '{n, plural, one {{n} ligne} other {{n} lignes}}',
  '{n} columns': '{n, plural, one {{n} colonne} other {{n} colonnes}}',
  'The agent cannot stand there.': 'L’agent ne peut pas se tenir là.',
  agent: 'agent',
  Redo: 'Rétablir',
  'Draw in a large window': 'Dessiner dans une grande fenêtre',
  Clear: 'Tout effacer',
  Remove: 'Retirer',
  'Edit this map': 'Modifier cette carte',
  'Draw the map': 'Dessiner la carte',
  'row {row}, column {column}: {what}': 'ligne {row}, colonne {column} : {what}',
  '{what} chosen': 'choisi : {what}',
  'Tile to paint': 'Type de case à peindre',
  Colour: 'Couleur',
  'agent: again turns it': 'agent : placé de nouveau, il tourne',
  'Nash equilibria of one round': 'Équilibres de Nash d’une manche',
  'No Nash equilibrium of one round found': 'Aucun équilibre de Nash d’une manche trouvé',
  'Nash equilibrium of one round': 'Équilibre de Nash d’une manche',
  'and {n} more': 'et {n} de plus',
  'Some payoffs are tied, so there may be more than these.': 'Certains gains sont égaux, il peut donc y en avoir d’autres.',
  'any mix from ({from}) to ({to})': 'tout mélange de ({from}) à ({to})',
  ' against ': ' contre ',
  'pays {mine}, {theirs}': 'rapporte {mine}, {theirs}',
  'Best responses of both; they cross at the equilibria.': 'Meilleures réponses des deux ; elles se croisent aux équilibres.',
  'its own payoffs': 'ses propres gains',
  'the same game from its side': 'le même jeu vu de son côté',
  'the opposite (zero sum)': 'l’opposé (somme nulle)',
  'the same (common interest)': 'les mêmes gains (intérêt commun)',
  'The column player gets': 'Le joueur des colonnes reçoit',
  'own payoffs': 'vos propres gains',
  'Edit in a large window': 'Modifier dans une grande fenêtre',
  Payoffs: 'Gains',
  'Each payoff must be a number.': 'Chaque gain doit être un nombre.',
  'Payoffs. Rows are actions of the row player, columns those of the column player; each cell has first the payoff of the row player, then that of the column player.':
    'Gains. Les lignes sont les actions du joueur des lignes, les colonnes celles du joueur des colonnes ; chaque case porte d’abord le gain du joueur des lignes, puis celui du joueur des colonnes.',
  equilibrium: 'équilibre',
  'best response': 'meilleure réponse',
  'Row player: {action} against {other}': 'Joueur des lignes : {action} contre {other}',
  'Column player: {action} against {other}': 'Joueur des colonnes : {action} contre {other}',
  ground: 'sol',
  cliff: 'falaise',
  goal: 'but',
  start: 'départ',
  'There is no start on this map. Paint one.': 'Il n’y a pas de départ sur cette carte. Peignez-en un.',
  'There is no goal on this map, so no episode ever ends.': 'Il n’y a pas de but sur cette carte, donc aucun épisode ne se termine.',
  'The goal cannot be reached from the start. Open a way beside the cliff.':
    'Le but est inaccessible depuis le départ. Ouvrez un chemin le long de la falaise.',
  cooperate: 'coopérer',
  defect: 'trahir',
  left: 'gauche',
  right: 'droite',
  stag: 'cerf',
  hare: 'lièvre',
  dove: 'colombe',
  hawk: 'faucon',
  heads: 'face',
  tails: 'pile',
  opera: 'opéra',
  football: 'football',
  rock: 'pierre',
  paper: 'feuille',
  scissors: 'ciseaux',
  high: 'haut',
  low: 'bas',
  trust: 'faire confiance',
  'play safe': 'jouer la sécurité',
  rod: 'tige',
  floor: 'sol',
  ice: 'glace',
  hole: 'trou',
  adversary: 'adversaire',
  landmark: 'obstacle',
  'tokens written': 'tokens écrits',
  'bars: what an arm pays, unknown to the player': 'barres : ce que paie un levier, inconnu du joueur',
};
export default texts;
