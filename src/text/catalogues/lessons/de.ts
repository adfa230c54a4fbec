/** German: lessons and class. Texts by their English wording; how to add one: docs/languages.md. */
import type { Catalogue } from '../../text.ts';

const texts: Catalogue = {
  'my settings': 'meine Einstellungen',
  'the run': 'der Lauf',
  'at least {min} and at most {max}': 'mindestens {min} und höchstens {max}',
  'at least {min}': 'mindestens {min}',
  'at most {max}': 'höchstens {max}',
  'a greedy return of {range} on every seed': 'ein gieriger Ertrag von {range} bei jedem Seed',
  'a greedy return of {range} as the mean over seeds': 'ein gieriger Ertrag von {range} im Mittel über die Seeds',
  'a return at the end of {range} on every seed': 'ein Ertrag am Ende von {range} bei jedem Seed',
  'a return at the end of {range} as the mean over seeds': 'ein Ertrag am Ende von {range} im Mittel über die Seeds',
  'Looking for moments.': 'Momente werden gesucht.',
  'Two short moments of this dataset, again and again: say which is nearer to what you want. A reward is learned from your answers, and an agent from that reward; twenty make a start.':
    'Zwei kurze Momente aus diesem Datensatz, immer wieder: Sag, welcher näher an dem ist, was du willst. Aus deinen Antworten wird eine Belohnung gelernt und aus dieser Belohnung ein Agent; zwanzig sind ein Anfang.',
  'Compare pairs': 'Paare vergleichen',
  'First moment of pair {n} in {world}.': 'Erster Moment von Paar {n} in {world}.',
  'Second moment of pair {n} in {world}.': 'Zweiter Moment von Paar {n} in {world}.',
  'The first': 'Der erste',
  'The second': 'Der zweite',
  Neither: 'Keiner von beiden',
  Undo: 'Rückgängig',
  'Play the moments': 'Momente abspielen',
  '{n} answers': '{n, plural, one {{n} Antwort} other {{n} Antworten}}',
  'Keep the answers': 'Antworten behalten',
  'What was measured': 'Was gemessen wurde',
  '{title}.': '{title}.',
  'Predicted: {prediction}.': 'Vorhersage: {prediction}.',
  'Not run yet.': 'Noch nicht gelaufen.',
  'Task reached: {goal}.': 'Aufgabe geschafft: {goal}.',
  'Task not reached yet: {goal}.': 'Aufgabe noch nicht geschafft: {goal}.',
  'No lesson is named.': 'Es ist keine Lektion genannt.',
  'All lessons': 'Alle Lektionen',
  '{lesson}, step {n}': '{lesson}, Schritt {n}',
  'Projector: large type': 'Projektor: große Schrift',
  'Leave the lesson': 'Lektion verlassen',
  Steps: 'Schritte der Lektion',
  'This step cannot be opened.': 'Dieser Schritt lässt sich nicht öffnen.',
  'There are answers of an earlier visit.': 'Es gibt Antworten von einem früheren Besuch.',
  'Start the lesson over': 'Lektion neu beginnen',
  'Back to the start of this step': 'Zurück zum Anfang dieses Schritts',
  Back: 'Zurück',
  'Class {word}, my seat number': 'Klasse {word}, meine Platznummer',
  'a whole number from 1 to 255': 'eine ganze Zahl von 1 bis 255',
  'Play it yourself': 'Spiel selbst',
  'Run it': 'Laufen lassen',
  'Run all {n}': 'Alle {n} laufen lassen',
  'First your prediction, then the run.': 'Erst deine Vorhersage, dann der Lauf.',
  'In your own words; it stays on this machine.': 'In deinen eigenen Worten; es bleibt auf diesem Gerät.',
  'Your prediction': 'Deine Vorhersage',
  'Your controls': 'Deine Regler',
  'Train both': 'Beide trainieren',
  'Train my settings': 'Mit meinen Einstellungen trainieren',
  'First your seat number, then the run.': 'Erst deine Platznummer, dann der Lauf.',
  'Step {n}: {title}': 'Schritt {n}: {title}',
  'Step {n}: {title}, met': 'Schritt {n}: {title}, geschafft',
  'Step {n}: {title}, not yet met': 'Schritt {n}: {title}, noch nicht geschafft',
  'To reach: {goal}.': 'Ziel: {goal}.',
  '✓ Reached: {goal}.': '✓ Geschafft: {goal}.',
  'Not yet: {goal}. Now {value}.': 'Noch nicht: {goal}. Jetzt {value}.',
  'Each is a link for a whole class: predict, run it on your own machine, compare. No account, no names, nothing is sent.':
    'Jede ist ein Link für eine ganze Klasse: vorhersagen, auf dem eigenen Gerät laufen lassen, vergleichen. Kein Konto, keine Namen, nichts wird gesendet.',
  'Make a lesson': 'Eine Lektion erstellen',
  'in {n} steps': 'in {n} Schritten',
  'For a class: {lesson}': 'Für eine Klasse: {lesson}',
  'You said {value} {unit}.': 'Du hast {value} {unit} gesagt.',
  '{unit}, {min} to {max}': '{unit}, {min} bis {max}',
  'This is my guess': 'Das ist mein Tipp',
  'your sketch': 'deine Skizze',
  'your guess': 'deine Vorhersage',
  measured: 'gemessen',
  'This is my sketch': 'Das ist meine Skizze',
  'Show me two moments': 'Zeig mir zwei Momente',
  '{n} answers are kept.': '{n, plural, one {{n} Antwort ist gespeichert.} other {{n} Antworten sind gespeichert.}}',
  'Let an agent learn from them': 'Einen Agenten daraus lernen lassen',
  'Answer anew': 'Neu antworten',
  'There is no code of this result.': 'Zu diesem Ergebnis gibt es keinen Code.',
  'My result': 'Mein Ergebnis',
  'Your result as a code, for the class page. It holds your settings and what they gave, and no name.':
    'Dein Ergebnis als Code, für die Seite der Klasse. Er enthält deine Einstellungen und was sie ergaben, und keinen Namen.',
  'Result code': 'Ergebniscode',
  Copy: 'Kopieren',
  'QR code': 'QR-Code',
  'QR code of my result': 'QR-Code meines Ergebnisses',
  run: 'Lauf',
  'return, {measure}': 'Ertrag, {measure}',
  scene: 'Szene',
  'Show the agent of {label} in the scene': 'Den Agenten von {label} in der Szene zeigen',
  'Show this agent in the scene': 'Diesen Agenten in der Szene zeigen',
  'not started': 'nicht begonnen',
  '{n} % trained': '{n} % trainiert',
  'nothing measured': 'nichts gemessen',
  '{mean} ({n} seeds, {min} to {max})': '{mean} ({n} Seeds, {min} bis {max})',
  '{y} at {x}': '{y} bei {x}',
  'For the teacher': 'Für Lehrkräfte',
  'Works on the belief: “{belief}”': 'Arbeitet an der Vorstellung: „{belief}“',
  'One way through it:': 'Ein Weg durch die Lektion:',
  'What to know:': 'Gut zu wissen:',
  'To go on: {extend}': 'Zum Weitermachen: {extend}',
  Board: 'Tafel',
  seat: 'Platz',
  result: 'Ergebnis',
  settings: 'Einstellungen',
  'checked here': 'hier geprüft',
  remove: 'entfernen',
  '✓ goal': '✓ Ziel',
  'not yet': 'noch nicht',
  'The same for all: {settings}.': 'Bei allen gleich: {settings}.',
  'as given': 'wie vorgegeben',
  'Remove the result of seat {n}': 'Das Ergebnis von Platz {n} entfernen',
  'For which lesson?': 'Für welche Lektion?',
  'each has “For a class” beside it.': 'neben jeder steht „Für eine Klasse“.',
  'one without a seat': 'eines ohne Platz',
  'seat {n}': 'Platz {n}',
  '{lesson}: class {word}': '{lesson}: Klasse {word}',
  Projector: 'Projektor',
  'For the class: link and code': 'Für die Klasse: Link und Code',
  'QR code of the lesson for the class': 'QR-Code der Lektion für die Klasse',
  'Open the lesson by this code or link.': 'Öffne die Lektion mit diesem Code oder Link.',
  'Type your seat number: your runs get seeds of their own. No name is asked for.':
    'Gib deine Platznummer ein: So bekommen deine Läufe eigene Seeds. Nach einem Namen wird nicht gefragt.',
  'When a task is done, show or copy its result code.': 'Wenn eine Aufgabe geschafft ist, zeig oder kopiere ihren Ergebniscode.',
  'Link for the class': 'Link für die Klasse',
  Link: 'Link',
  'Copy link': 'Link kopieren',
  'This lesson is too long for a QR code; send the link.': 'Diese Lektion ist zu lang für einen QR-Code; verschicke den Link.',
  Collect: 'Einsammeln',
  'Result codes': 'Ergebniscodes',
  'Paste result codes, as many as you like; each begins with RL1:': 'Füge Ergebniscodes ein, so viele du willst; jeder beginnt mit RL1:',
  'Add these': 'Diese hinzufügen',
  'Files or photos': 'Dateien oder Fotos',
  'Close the camera': 'Kamera schließen',
  Camera: 'Kamera',
  'Files with result codes': 'Dateien mit Ergebniscodes',
  Results: 'Ergebnisse',
  'Nothing yet. What comes in is kept on this machine until you delete it.':
    'Noch nichts. Was ankommt, bleibt auf diesem Gerät, bis du es löschst.',
  '{n} of {all} still to be simulated.': '{n} von {all} sind noch zu simulieren.',
  'None is forged, but {n} of {all} could not be verified here: they do not count as true.':
    'Keines ist gefälscht, aber {n} von {all} konnten hier nicht geprüft werden: Sie zählen nicht als wahr.',
  'Every result was simulated here again; none is forged.': 'Jedes Ergebnis wurde hier noch einmal simuliert; keines ist gefälscht.',
  'Forged: {seats}. The run of these settings and seeds gives other values.':
    'Gefälscht: {seats}. Der Lauf mit diesen Einstellungen und Seeds ergibt andere Werte.',
  'Goal: {goal}.': 'Ziel: {goal}.',
  'CSV file': 'CSV-Datei',
  'Everything that was collected is deleted.': 'Alles Eingesammelte ist gelöscht.',
  'Delete all {n} results': '{n, plural, one {{n} Ergebnis löschen} other {Alle {n} Ergebnisse löschen}}',
  'Keep them': 'Behalten',
  'Delete everything': 'Alles löschen',
  'What a check can tell, and what it cannot': 'Was eine Prüfung sagen kann und was nicht',
  'A result is true when the same settings and seeds give the same values here, bit for bit.':
    'Ein Ergebnis ist echt, wenn dieselben Einstellungen und Seeds hier dieselben Werte ergeben, Bit für Bit.',
  'Predictions cannot be checked, nor who pressed the buttons.':
    'Vorhersagen lassen sich nicht prüfen, und auch nicht, wer die Tasten gedrückt hat.',
  'A result of another version of the workbench is “cannot be checked”, never “forged”.':
    'Ein Ergebnis aus einer anderen Version des Labors ist „nicht prüfbar“, nie „gefälscht“.',
  'Seats are numbers; keep the list of who sits where on paper. Nothing of this page is sent anywhere.':
    'Plätze sind Nummern; notiere auf Papier, wer wo sitzt. Nichts von dieser Seite wird irgendwohin gesendet.',
  '{n} results': '{n, plural, one {{n} Ergebnis} other {{n} Ergebnisse}}',
  '{n} of {all} reached the goal': '{n} von {all} haben das Ziel erreicht',
  '{words}, {n} not verified': '{words}, {n} nicht geprüft',
  '{words}, {n} forged': '{words}, {n} gefälscht',
  'goal {value}': 'Ziel {value}',
  'no seat': 'kein Platz',
  '{counted}.': '{counted}.',
  'Return, {measure}, mean over seeds, less that of {other}.': 'Ertrag, {measure}, Mittel über die Seeds, abzüglich dessen von {other}.',
  'Return, {measure}, mean over seeds.': 'Ertrag, {measure}, Mittel über die Seeds.',
  'Return, {measure}, the seed that decides.': 'Ertrag, {measure}, der entscheidende Seed.',
  'What the class predicted': 'Was die Klasse vorhergesagt hat',
  '{n} of {all}': '{n} von {all}',
  '{min} to {max} {unit}, half of them at most {median}.': '{min} bis {max} {unit}, die Hälfte davon höchstens {median}.',
  '{n} sketches over each other': '{n, plural, one {{n} Skizze} other {{n} Skizzen übereinander}}',
  'Camera: hold a result code in front of it': 'Kamera: Halte einen Ergebniscode davor',
  'Paste the codes instead, or choose photos of them.': 'Füge die Codes stattdessen ein, oder wähle Fotos davon.',
  'The browser did not let the page use the camera. Allow it at the left of the address bar, or go on without.':
    'Der Browser hat der Seite die Kamera nicht erlaubt. Erlaube sie links in der Adresszeile, oder mach ohne sie weiter.',
  'This machine has no camera that the browser can use.': 'Dieses Gerät hat keine Kamera, die der Browser benutzen kann.',
  'The camera is in use by another program. Close that one and try again.':
    'Die Kamera wird von einem anderen Programm benutzt. Schließe es und versuche es noch einmal.',
  'Browsers open the camera only for pages served over HTTPS or from this machine.':
    'Browser öffnen die Kamera nur für Seiten, die über HTTPS oder von diesem Gerät kommen.',
  'The camera cannot be used: {why}.': 'Die Kamera lässt sich nicht benutzen: {why}.',
  'map of {n} rows': 'Karte mit {n} Zeilen',
  'true so far, {n} of {all} seeds': 'bisher echt, {n} von {all} Seeds',
  'true, all {n} seeds': '{n, plural, one {echt, der einzige Seed} other {echt, alle {n} Seeds}}',
  'forged: {why}': 'gefälscht: {why}',
  'cannot be checked: {why}': 'nicht prüfbar: {why}',
  'being simulated': 'wird simuliert',
  'Nothing new.': 'Nichts Neues.',
  '{n} results added': '{n, plural, one {{n} Ergebnis hinzugefügt} other {{n} Ergebnisse hinzugefügt}}',
  '{added} ({seats})': '{added} ({seats})',
  '{added}.': '{added}.',
  '{added}, {n} of them of a seat that has handed in before: the newest true one counts.':
    '{added}, davon {n} von einem Platz, der schon abgegeben hatte: Das neueste echte zählt.',
  'There is no result code in it. A code begins with RL1: and stands on a line of its own.':
    'Darin ist kein Ergebniscode. Ein Code beginnt mit RL1: und steht in einer eigenen Zeile.',
  'More than {n} results: the rest was left out.': 'Mehr als {n} Ergebnisse: Der Rest wurde weggelassen.',
  'And {n} more that cannot be read.': 'Und {n} weitere, die sich nicht lesen lassen.',
  '{file} is larger than {n} MB.': '{file} ist größer als {n} MB.',
  '{file} is not a picture that this browser can read.': '{file} ist kein Bild, das dieser Browser lesen kann.',
  'No QR code was found in {file}. Take it from nearer, straight, with the whole code in it.':
    'In {file} wurde kein QR-Code gefunden. Nimm ihn aus der Nähe auf, gerade und mit dem ganzen Code.',
  'made with version {made} of its environment and algorithm; here it is {here}':
    'mit Version {made} seiner Umgebung und seines Algorithmus gemacht; hier ist es {here}',
  'its settings are not possible: {why}': 'seine Einstellungen sind nicht möglich: {why}',
  'asks for {n} steps a seed; at most {most} are simulated': 'verlangt {n} Schritte pro Seed; höchstens {most} werden simuliert',
  'its settings do not give the configuration that it names': 'seine Einstellungen ergeben nicht die Konfiguration, die er nennt',
  'its seeds are not those of its settings': 'seine Seeds sind nicht die seiner Einstellungen',
  'a seed is missing': 'ein Seed fehlt',
  'seed {n}: {why}': 'Seed {n}: {why}',
  'There is no lesson “{id}”.': 'Es gibt keine Lektion „{id}“.',
  'Did you mean {names}?': 'Meintest du {names}?',
  'Use one of: {names}.': 'Nimm eine von diesen: {names}.',
  'The link of this lesson is damaged: {why}.': 'Der Link dieser Lektion ist beschädigt: {why}.',
  'Copy the whole link again.': 'Kopiere den ganzen Link noch einmal.',
  'This lesson has format {n}; this page knows format {here}.': 'Diese Lektion hat das Format {n}; diese Seite kennt das Format {here}.',
  'Reload the page.': 'Lade die Seite neu.',
  'This is not a result code.': 'Das ist kein Ergebniscode.',
  'A code begins with RL1: and is copied whole.': 'Ein Code beginnt mit RL1: und wird ganz kopiert.',
  'This code is damaged: {why}.': 'Dieser Code ist beschädigt: {why}.',
  'Copy the whole code again, or scan it.': 'Kopiere den ganzen Code noch einmal, oder scanne ihn.',
  'its end is missing': 'sein Ende fehlt',
  'its characters were changed on the way': 'seine Zeichen wurden unterwegs verändert',
  'its end is missing or characters were changed on the way': 'sein Ende fehlt, oder Zeichen wurden unterwegs verändert',
  'its checksum does not match': 'seine Prüfsumme stimmt nicht',
  'its settings cannot be unpacked': 'seine Einstellungen lassen sich nicht auspacken',
  'its content cannot be unpacked': 'sein Inhalt lässt sich nicht auspacken',
  'it is shorter than it says': 'er ist kürzer, als er angibt',
  'the lesson has no result at step {n}': 'die Lektion hat kein Ergebnis in Schritt {n}',
  'it does not hold the runs of its step': 'er enthält nicht die Läufe seines Schritts',
  'it answers what was not asked': 'er beantwortet, was nicht gefragt war',
  'it does not hold the settings of its step': 'er enthält nicht die Einstellungen seines Schritts',
  'This code is of another lesson.': 'Dieser Code gehört zu einer anderen Lektion.',
  'Open the class page of that lesson, or ask for a code of this one.':
    'Öffne die Seite der Klasse zu jener Lektion, oder bitte um einen Code zu dieser.',
  'This code is of version {n} of the lesson; here it is version {here}.':
    'Dieser Code gehört zu Version {n} der Lektion; hier ist es Version {here}.',
  'Reload this page.': 'Lade diese Seite neu.',
  'The pupil reloads the lesson and runs it again.':
    'Die Schülerin oder der Schüler lädt die Lektion neu und lässt sie noch einmal laufen.',
  'it names seat {n} and no class': 'er nennt Platz {n} und keine Klasse',
  'made without the class': 'ohne die Klasse gemacht',
  'handed in for another class': 'für eine andere Klasse abgegeben',
  'its seeds are not those of seat {n}': 'seine Seeds sind nicht die von Platz {n}',
  'claims {claimed}, the run gives {given}': 'behauptet {claimed}, der Lauf ergibt {given}',
  'the value is right, what was learned is not': 'der Wert stimmt, das Gelernte nicht',
  'Nothing was measured for {runs}.': 'Für {runs} wurde nichts gemessen.',
  '“{label}”': '„{label}“',
  '{measure}, mean over {n} seeds': '{measure}, Mittel über {n} Seeds',
  'Return of “{label}”: {value} ({by}; single seeds from {min} to {max}).':
    'Ertrag von „{label}“: {value} ({by}; einzelne Seeds von {min} bis {max}).',
  'Return of “{label}”: {value} ({by}).': 'Ertrag von „{label}“: {value} ({by}).',
  'All have the same return: {value} ({by}).': 'Alle haben denselben Ertrag: {value} ({by}).',
  'Every seed of “{high}” is above every seed of “{low}”.': 'Jeder Seed von „{high}“ liegt über jedem Seed von „{low}“.',
  'Their seeds overlap: with other seeds the order may differ.':
    'Ihre Seeds überlappen sich: Mit anderen Seeds kann die Reihenfolge anders sein.',
  'Highest return: {most} with “{high}”. Lowest: {least} with “{low}” ({by}).':
    'Höchster Ertrag: {most} mit „{high}“. Niedrigster: {least} mit „{low}“ ({by}).',
  '“{high}” has {difference} more return than “{low}”: {most} and {least} ({by}).':
    '„{high}“ hat {difference} mehr Ertrag als „{low}“: {most} und {least} ({by}).',
  'while learning, at the end': 'beim Lernen, am Ende',
  'greedy test': 'gieriger Test',
  'The best lever so far is the best lever; a little luck always suffices.':
    'Der bisher beste Hebel ist der beste Hebel; ein wenig Glück genügt immer.',
  '12 and older': 'ab 12',
  'Play it': 'Spiel es',
  'Eleven levers, each pays its own amount every time. Pull fifteen times with the number keys. Which lever is best, and are you sure?':
    'Elf Hebel, jeder zahlt jedes Mal seinen eigenen Betrag. Zieh fünfzehnmal mit den Zifferntasten. Welcher Hebel ist der beste, und bist du sicher?',
  'Never try anything new': 'Nie etwas Neues probieren',
  'The agent always pulls the lever with the highest estimate. All estimates start at 0, so it pulls the first. The best lever pays 1.':
    'Der Agent zieht immer den Hebel mit der höchsten Schätzung. Alle Schätzungen beginnen bei 0, also zieht er den ersten. Der beste Hebel zahlt 1.',
  'What does it earn per pull after 2,000 pulls without exploring?': 'Was verdient er pro Zug nach 2.000 Zügen ohne Exploration?',
  'less than 0.25': 'weniger als 0,25',
  'about 0.5': 'etwa 0,5',
  'about 0.75': 'etwa 0,75',
  'almost 1': 'fast 1',
  'epsilon 0': 'Epsilon 0',
  'How much exploring?': 'Wie viel explorieren?',
  'Epsilon is the share of pulls at random. Sketch what the agent earns for each, then run all five.':
    'Epsilon ist der Anteil zufälliger Züge. Skizziere, was der Agent bei jedem Wert verdient, und lass dann alle fünf laufen.',
  'Pay per pull at the end, for each epsilon': 'Verdienst pro Zug am Ende, für jedes Epsilon',
  'pay per pull': 'Verdienst pro Zug',
  'epsilon 0.01': 'Epsilon 0,01',
  'epsilon 0.1': 'Epsilon 0,1',
  'epsilon 0.3': 'Epsilon 0,3',
  'epsilon 1': 'Epsilon 1',
  'Which of the five differs most from your line? What did the agent know at the end that it did not use?':
    'Welcher der fünf weicht am meisten von deiner Linie ab? Was wusste der Agent am Ende, das er nicht genutzt hat?',
  'Optimistic start': 'Optimistischer Anfang',
  'Back to no exploring. This time every estimate starts at 2, more than any lever pays, so each lever is tried until its estimate has fallen. The bars now show what each really pays.':
    'Wieder ohne Exploration. Diesmal beginnt jede Schätzung bei 2, mehr als irgendein Hebel zahlt; so wird jeder Hebel probiert, bis seine Schätzung gesunken ist. Die Balken zeigen jetzt, was jeder wirklich zahlt.',
  'Does it find the best lever without a single random pull?': 'Findet er den besten Hebel ohne einen einzigen zufälligen Zug?',
  'yes, on every seed': 'ja, bei jedem Seed',
  'on about half of the seeds': 'bei etwa der Hälfte der Seeds',
  no: 'nein',
  'initial value 2': 'Anfangswert 2',
  'Your own settings': 'Deine eigenen Einstellungen',
  'Find settings that earn at least 0.95 per pull on every one of ten seeds. Epsilon 0.1 misses it on some.':
    'Finde Einstellungen, die bei jedem von zehn Seeds mindestens 0,95 pro Zug verdienen. Epsilon 0,1 verfehlt das bei manchen.',
  'at least 0.95 per pull on every seed': 'mindestens 0,95 pro Zug bei jedem Seed',
  '3 min, screens closed: three paper cups with coins; one pull a pupil, the class says when it would stop.':
    '3 min, Bildschirme zu: drei Pappbecher mit Münzen; ein Zug pro Person, die Klasse sagt, wann sie aufhören würde.',
  "8 min, steps 1 to 3: everybody predicts before the run. Collect the sketches' tallest place by show of hands.":
    '8 min, Schritte 1 bis 3: Alle sagen vor dem Lauf voraus. Frag per Handzeichen ab, wo die Skizzen am höchsten sind.',
  '4 min, screens closed: “At epsilon 1 it knows everything. Why does it earn so little?”':
    '4 min, Bildschirme zu: „Bei Epsilon 1 weiß er alles. Warum verdient er so wenig?“',
  '8 min, steps 4 and 5; who has reached the goal looks for a second way.':
    '8 min, Schritte 4 und 5; wer das Ziel erreicht hat, sucht einen zweiten Weg.',
  '5 min, the board: which settings reached it? Most are of two kinds: fading exploration, or high hopes at the start.':
    '5 min, die Tafel: Welche Einstellungen haben es erreicht? Die meisten sind von zwei Arten: abnehmende Exploration oder hohe Erwartungen am Anfang.',
  'At epsilon 1 the agent knows everything (its greedy test earns 1) and uses none of it.':
    'Bei Epsilon 1 weiß der Agent alles (sein gieriger Test verdient 1) und nutzt nichts davon.',
  'The pay has no noise here, so a step size of 1 is right. Ask when it would be wrong.':
    'Die Auszahlung hat hier kein Rauschen, deshalb ist eine Schrittweite von 1 richtig. Frag, wann sie falsch wäre.',
  'Epsilon from 1 to 0 within 500 pulls with step size 0.5 earns 1 on every seed.':
    'Epsilon von 1 auf 0 in 500 Zügen mit Schrittweite 0,5 verdient 1 bei jedem Seed.',
  'Deep sea: the treasure lies behind ten right moves. Why does random exploring fail there?':
    'Tiefsee: Der Schatz liegt hinter zehn richtigen Zügen. Warum scheitert zufälliges Explorieren dort?',
  'The training curve shows how good the policy is; on-policy and off-policy is jargon.':
    'Die Trainingskurve zeigt, wie gut die Strategie ist; On-Policy und Off-Policy sind Fachjargon.',
  '14 and older': 'ab 14',
  'Walk it': 'Geh den Weg',
  'From the ring to the green goal, along the cliff: a step costs 1, a fall costs 100 and starts again. Walk once by hand. What if a friend nudged you at every tenth step?':
    'Vom Ring zum grünen Ziel, an der Klippe entlang: Ein Schritt kostet 1, ein Sturz kostet 100, und es beginnt von vorn. Geh einmal selbst. Was wäre, wenn dich jemand bei jedem zehnten Schritt anstößt?',
  'Two ways to learn': 'Zwei Arten zu lernen',
  'Both agents step at random once in ten steps. Q-learning counts the best next step; SARSA counts the step it will really take, random ones included.':
    'Beide Agenten machen einen von zehn Schritten zufällig. Q-Learning zählt den besten nächsten Schritt; SARSA zählt den Schritt, den es wirklich machen wird, auch wenn er zufällig ist.',
  'Which paths do they learn?': 'Welche Wege lernen sie?',
  'both along the edge': 'beide am Rand entlang',
  'Q-learning along the edge, SARSA further away': 'Q-Learning am Rand, SARSA weiter weg',
  'SARSA along the edge, Q-learning further away': 'SARSA am Rand, Q-Learning weiter weg',
  'both far from the edge': 'beide weit vom Rand',
  'Q-learning': 'Q-Learning',
  SARSA: 'SARSA',
  'SARSA earns more while it learns, and its path is longer. Which of the two is better?':
    'SARSA verdient beim Lernen mehr, und sein Weg ist länger. Welche der beiden Methoden ist besser?',
  'See what they estimate': 'Sieh, was sie schätzen',
  'The colours are values, the arrows the best step. Compare the row above the cliff for both: the buttons in the table choose which one is shown.':
    'Die Farben sind Werte, die Pfeile der beste Schritt. Vergleiche bei beiden die Reihe über der Klippe: Die Knöpfe in der Tabelle wählen, wer gezeigt wird.',
  'More exploring': 'Mehr Exploration',
  'Now three steps in ten are random.': 'Jetzt sind drei von zehn Schritten zufällig.',
  'What does Q-learning earn per episode while it learns?': 'Was verdient Q-Learning pro Episode, während es lernt?',
  'Q-learning, epsilon 0.3': 'Q-Learning, Epsilon 0,3',
  'SARSA, epsilon 0.3': 'SARSA, Epsilon 0,3',
  'Draw a map': 'Zeichne eine Karte',
  'On the map so far SARSA earns more while it learns. Draw a map on which it earns less, by at least 5: it exists. Both methods are trained on your map.':
    'Auf der bisherigen Karte verdient SARSA beim Lernen mehr. Zeichne eine Karte, auf der es weniger verdient, um mindestens 5: Es gibt sie. Beide Methoden werden auf deiner Karte trainiert.',
  'SARSA on my map': 'SARSA auf meiner Karte',
  'Q-learning on my map': 'Q-Learning auf meiner Karte',
  'SARSA earns at least 5 less than Q-learning while it learns on your map':
    'SARSA verdient beim Lernen auf deiner Karte mindestens 5 weniger als Q-Learning',
  '4 min, step 1, then once more with a friend who nudges you at every tenth step: did you keep away from the edge?':
    '4 min, Schritt 1, dann noch einmal mit jemandem, der bei jedem zehnten Schritt anstößt: Hast du Abstand vom Rand gehalten?',
  '6 min, step 2: predict, run. Ask who is better before anybody opens step 3.':
    '6 min, Schritt 2: vorhersagen, laufen lassen. Frag, wer besser ist, bevor jemand Schritt 3 öffnet.',
  '6 min, steps 3 and 4: the row above the cliff in both maps; then the numbers at epsilon 0.3.':
    '6 min, Schritte 3 und 4: die Reihe über der Klippe auf beiden Karten; dann die Zahlen bei Epsilon 0,3.',
  '10 min, step 5: own maps. Where must the cliff lie so that keeping away from it costs more than falling? Maps that differ are worth more than one that is best.':
    '10 min, Schritt 5: eigene Karten. Wo muss die Klippe liegen, damit Abstand mehr kostet als Stürzen? Verschiedene Karten sind mehr wert als eine beste.',
  '4 min, the board: put one map on the wall and let its author say why SARSA loses on it.':
    '4 min, die Tafel: Häng eine Karte an die Wand und lass die Person, die sie gezeichnet hat, sagen, warum SARSA auf ihr verliert.',
  'Greedy play of SARSA walks in a circle on one seed of ten: values of steps it never tried are not put right. It is worth a talk.':
    'Gierig gespielt läuft SARSA bei einem von zehn Seeds im Kreis: Werte von Schritten, die es nie probiert hat, werden nicht berichtigt. Das ist ein Gespräch wert.',
  'A map where SARSA trains worse: CCCCCCCCCC / .......... / S........G / .......... / CCCCCCCCCC (-27 against -15).':
    'Eine Karte, auf der SARSA schlechter trainiert: CCCCCCCCCC / .......... / S........G / .......... / CCCCCCCCCC (-27 gegen -15).',
  'With exploring that fades to 0, SARSA keeps the way it learned.':
    'Mit einer Exploration, die auf 0 abnimmt, behält SARSA den Weg, den es gelernt hat.',
  'Curves are flat from 5,000 steps (Q-learning) and 10,000 steps (SARSA).':
    'Die Kurven sind flach ab 5.000 Schritten (Q-Learning) und 10.000 Schritten (SARSA).',
  'Slippery ground: every step may slide. Which path is safe now?':
    'Rutschiger Boden: Bei jedem Schritt kann man ausrutschen. Welcher Weg ist jetzt sicher?',
  'A larger learning rate breaks learning; more exploring never hurts; one number tells all.':
    'Eine größere Lernrate zerstört das Lernen; mehr Exploration schadet nie; eine Zahl sagt alles.',
  '15 and older': 'ab 15',
  'Read a curve': 'Lies eine Kurve',
  'Train once. One point is the time the pole stood, at most 500. Watch the line of each seed: where would you stop?':
    'Trainiere einmal. Ein Punkt ist die Zeit, die der Stab stand, höchstens 500. Achte auf die Linie jedes Seeds: Wo würdest du aufhören?',
  'The curve': 'Die Kurve',
  'as it is': 'wie es ist',
  'Break it': 'Mach es kaputt',
  'Three changes: a learning rate a hundred times as large, a discount of 0 (only the next reward counts), an entropy coefficient of 1 (random actions are rewarded).':
    'Drei Änderungen: eine hundertmal so große Lernrate, ein Diskontfaktor von 0 (nur die nächste Belohnung zählt), ein Entropiekoeffizient von 1 (zufällige Aktionen werden belohnt).',
  'Which of them spoils what is learned most?': 'Welche davon verdirbt am meisten, was gelernt wird?',
  'learning rate x 100': 'Lernrate x 100',
  'discount 0': 'Diskontfaktor 0',
  'entropy coefficient 1': 'Entropiekoeffizient 1',
  'With entropy 1 the curve is low, yet the greedy test is high. Why does it balance when it is tested?':
    'Mit Entropiekoeffizient 1 ist die Kurve niedrig, der gierige Test aber hoch. Warum balanciert er im Test?',
  'The doctor': 'Sprechstunde',
  'This run is ill: it does not learn. Find the one control that is wrong, and mend it.':
    'Dieser Lauf ist krank: Er lernt nicht. Finde den einen Regler, der falsch steht, und stell ihn richtig ein.',
  'the patient': 'der Patient',
  mended: 'geheilt',
  'a greedy return of at least 300 on 4 of 5 seeds': 'ein gieriger Ertrag von mindestens 300 bei 4 von 5 Seeds',
  'Only 20,000 steps': 'Nur 20.000 Schritte',
  'As good as possible in 20,000 steps, on every one of five seeds. Any of these controls may move.':
    'So gut wie möglich in 20.000 Schritten, bei jedem von fünf Seeds. Du darfst jeden dieser Regler bewegen.',
  'a return of at least 170 at the end on every seed': 'ein Ertrag von mindestens 170 am Ende bei jedem Seed',
  '5 min, step 1: everybody sketches a curve; three sketches on the wall.':
    '5 min, Schritt 1: Alle skizzieren eine Kurve; drei Skizzen an die Wand.',
  '8 min, step 2: three changes. The learning rate is the surprise; let it stand.':
    '8 min, Schritt 2: drei Änderungen. Die Lernrate ist die Überraschung; lass sie stehen.',
  '6 min, step 3: the doctor. One control at a time, and say the fault aloud before mending it.':
    '6 min, Schritt 3: die Sprechstunde. Ein Regler nach dem anderen, und den Fehler laut sagen, bevor man ihn behebt.',
  '8 min, step 4: 20,000 steps.': '8 min, Schritt 4: 20.000 Schritte.',
  '5 min, the board: the setting with the largest spread over seeds. Would you rely on it?':
    '5 min, die Tafel: die Einstellung mit der größten Streuung über die Seeds. Würdest du dich darauf verlassen?',
  'At 20,000 steps, ten seeds: the defaults end at 59 to 77; learning rate 0.0025 at 175 to 191; 0.025 at 131 to 194, faster and less sure.':
    'Bei 20.000 Schritten, zehn Seeds: Die Vorgaben enden bei 59 bis 77; Lernrate 0,0025 bei 175 bis 191; 0,025 bei 131 bis 194, schneller und weniger sicher.',
  'A clip range of 5 with 20 epochs still learns: clipping is a belt, not the engine.':
    'Eine Clip-Grenze von 5 mit 20 Epochen lernt noch: Clipping ist ein Sicherheitsgurt, nicht der Motor.',
  'A discount of 0 sees one step ahead: 20 to 47.': 'Ein Diskontfaktor von 0 sieht einen Schritt voraus: 20 bis 47.',
  'The same faults with DQN; the same method on Acrobot.': 'Dieselben Fehler mit DQN; dieselbe Methode auf Acrobot.',
  'A low curve means that nothing was learned; one look at the return names the fault.':
    'Eine niedrige Kurve heißt, dass nichts gelernt wurde; ein Blick auf den Ertrag benennt den Fehler.',
  '16 and older': 'ab 16',
  'A healthy run': 'Ein gesunder Lauf',
  'DQN learns what each push is worth. A second network, copied every 250 steps, says what follows. Sketch the return, then train once and look at the other curves too.':
    'DQN lernt, was jeder Stoß wert ist. Ein zweites Netz, alle 250 Schritte kopiert, sagt, was danach kommt. Skizziere den Ertrag, trainiere dann einmal und sieh dir auch die anderen Kurven an.',
  'Never copied': 'Nie kopiert',
  'The second network stays as it was at the start. Every target is the next reward and a guess of a network that knows nothing.':
    'Das zweite Netz bleibt, wie es am Anfang war. Jeder Zielwert ist die nächste Belohnung plus eine Schätzung eines Netzes, das nichts gelernt hat.',
  'What does the return do?': 'Was macht der Ertrag?',
  'it rises more slowly': 'er steigt langsamer',
  'it stays as it was': 'er bleibt, wie er war',
  'it falls below where it began': 'er fällt unter seinen Anfang',
  'a copy every 1,000,000 steps': 'eine Kopie alle 1.000.000 Schritte',
  'It ends worse than random pushes, which hold the pole for some 22 steps. Where did it learn that? Look at the curve of mean Q.':
    'Er endet schlechter als zufällige Stöße, die den Stab etwa 22 Schritte halten. Wo hat er das gelernt? Sieh dir die Kurve „mittleres Q“ an.',
  'A memory of 100 steps': 'Ein Gedächtnis von 100 Schritten',
  'It replays from the last 100 steps instead of 20,000. Books say that old experience keeps learning steady.':
    'Er lernt aus den letzten 100 Schritten statt aus 20.000. In Büchern steht, dass alte Erfahrung das Lernen stabil hält.',
  'How much of the healthy return is left?': 'Wie viel bleibt vom gesunden Ertrag?',
  'almost nothing': 'fast nichts',
  'about a third': 'etwa ein Drittel',
  'more than half': 'mehr als die Hälfte',
  'buffer of 100': 'Puffer von 100',
  'A fault in the books, and the mean hardly says so. What do the lines of the single seeds say?':
    'Nach den Büchern ein Fehler, und das Mittel zeigt es kaum. Was sagen die Linien der einzelnen Seeds?',
  'A low curve': 'Eine niedrige Kurve',
  'This time exploration never fades: every action stays random.': 'Diesmal nimmt die Exploration nie ab: Jede Aktion bleibt zufällig.',
  'The curve stays near 20. What does the greedy test reach?': 'Die Kurve bleibt bei 20. Was erreicht der gierige Test?',
  'about 20 too': 'auch etwa 20',
  'about 80': 'etwa 80',
  'more than 150': 'mehr als 150',
  'epsilon stays 1': 'Epsilon bleibt 1',
  'Nothing was wrong with the learner. Which of the two numbers would you have looked at?':
    'Am Lernenden war nichts falsch. Auf welche der beiden Zahlen hättest du gesehen?',
  'First patient': 'Erster Patient',
  'One of these settings is wrong. Name the fault from its curves first, then mend it.':
    'Eine dieser Einstellungen ist falsch. Benenne zuerst den Fehler nach seinen Kurven, dann behebe ihn.',
  'a greedy return of at least 150 on 4 of 5 seeds': 'ein gieriger Ertrag von mindestens 150 bei 4 von 5 Seeds',
  'Second patient': 'Zweiter Patient',
  'Another one, with another fault. Again: name it, then move one control.':
    'Noch einer, mit einem anderen Fehler. Wieder: benennen, dann einen Regler bewegen.',
  '5 min, step 1: a sketch each; say what the other curves are.':
    '5 min, Schritt 1: eine Skizze pro Person; sag, was die anderen Kurven sind.',
  '6 min, step 2: never copied. Let the class explain why it ends below random.':
    '6 min, Schritt 2: nie kopiert. Lass die Klasse erklären, warum es unter dem Zufall endet.',
  '8 min, steps 3 and 4: one fault that hardly shows in the mean, one curve that lies.':
    '8 min, Schritte 3 und 4: ein Fehler, der sich im Mittel kaum zeigt, und eine Kurve, die täuscht.',
  '10 min, the patients: the fault is said aloud before a control moves.':
    '10 min, die Patienten: Der Fehler wird laut gesagt, bevor sich ein Regler bewegt.',
  '4 min, in the laboratory: open a patient there and compare with what the page itself says is wrong.':
    '4 min, im Labor: Öffne dort einen Patienten und vergleiche mit dem, was die Seite selbst bemängelt.',
  'Five seeds, 20,000 steps, return of the last episodes and greedy test: healthy: 167 to 181 and 213 to 301; never copied: 10 to 14 and 9 to 24; buffer of 100: 40 to 154 and 130 to 311; epsilon 1: 20 to 23 and 219 to 245; learning rate 0.1: 10 to 76 and 9 to 52; discount 0: 16 to 22 and 11 to 33.':
    'Fünf Seeds, 20.000 Schritte, Ertrag der letzten Episoden und gieriger Test: gesund: 167 bis 181 und 213 bis 301; nie kopiert: 10 bis 14 und 9 bis 24; Puffer von 100: 40 bis 154 und 130 bis 311; Epsilon 1: 20 bis 23 und 219 bis 245; Lernrate 0,1: 10 bis 76 und 9 bis 52; Diskontfaktor 0: 16 bis 22 und 11 bis 33.',
  'With a discount of 0 every push is worth 1 until the pole falls: the values are right and useless.':
    'Mit einem Diskontfaktor von 0 ist jeder Stoß 1 wert, bis der Stab fällt: Die Werte sind richtig und nutzlos.',
  'The page names a target that is never copied by itself, with the number of copies. Of a learning rate that is too large for DQN it says nothing while the values stay possible: that one is for the pupils.':
    'Ein Zielnetz, das nie kopiert wird, nennt die Seite von selbst, mit der Zahl der Kopien. Zu einer Lernrate, die für DQN zu groß ist, sagt sie nichts, solange die Werte möglich bleiben: Das ist für die Klasse.',
  'The same faults with PPO (learning rate 0.1 in the settings of RL Zoo); two faults at once.':
    'Dieselben Fehler mit PPO (Lernrate 0,1 in den Einstellungen von RL Zoo); zwei Fehler zugleich.',
  'A small extra reward can only help, and a reward that stands still means that nothing went wrong.':
    'Eine kleine zusätzliche Belohnung kann nur helfen, und eine Belohnung, die gleich bleibt, heißt, dass nichts schiefging.',
  'Write it backwards': 'Schreib es rückwärts',
  'The prompt r:abcd= asks for its letters from the last to the first, then the end (Enter). Write two or three. A program checks every letter: only a wholly right answer earns 1.':
    'Der Prompt r:abcd= verlangt seine Buchstaben vom letzten zum ersten, dann das Ende (Eingabetaste). Schreib zwei oder drei. Ein Programm prüft jeden Buchstaben: Nur eine ganz richtige Antwort verdient 1.',
  'Right answers are paid': 'Richtige Antworten werden bezahlt',
  'A small transformer copies right answers for a moment; meanwhile the curve shows the copied answers. Then it writes by itself, 16 answers to each prompt, and those that beat the mean of their group become likelier. At first about one answer in twenty is right.':
    'Ein kleiner Transformer ahmt kurz richtige Antworten nach; so lange zeigt die Kurve die nachgeahmten Antworten. Dann schreibt er selbst, 16 Antworten auf jeden Prompt, und die über dem Mittel ihrer Gruppe werden wahrscheinlicher. Am Anfang ist etwa eine von zwanzig Antworten richtig.',
  'How many answers of the greedy test are right in the end?': 'Wie viele Antworten des gierigen Tests sind am Ende richtig?',
  'hardly any': 'kaum eine',
  'about half': 'etwa die Hälfte',
  'nearly all': 'fast alle',
  'right answers paid': 'richtige Antworten bezahlt',
  'A group in which all answers are wrong teaches nothing. Why does it learn all the same?':
    'Eine Gruppe, in der alle Antworten falsch sind, lehrt nichts. Warum lernt er trotzdem?',
  'A little for good form': 'Etwas für gute Form',
  'Now any answer of letters that ends properly earns 0.1, right or wrong. Everything else is as before: four right letters still earn 1, ten times as much.':
    'Jetzt verdient jede Antwort aus Buchstaben, die ordentlich endet, 0,1, richtig oder falsch. Alles andere ist wie zuvor: Vier richtige Buchstaben verdienen weiter 1, zehnmal so viel.',
  'Reward of the greedy test in the end, 0 to 1': 'Belohnung des gierigen Tests am Ende, 0 bis 1',
  reward: 'Belohnung',
  'form paid as well': 'auch die Form bezahlt',
  'Look at the tokens that it writes now. Why is that the safest way to 0.1, and why does it never try for 1?':
    'Sieh dir die Token an, die er jetzt schreibt. Warum ist das der sicherste Weg zu 0,1, und warum versucht er nie die 1?',
  'Who noticed?': 'Wer hat es gemerkt?',
  'The return of this run is steady and every seed agrees. Choose the curves solved and well-formed in place of the return: they come from the verifier, whatever is paid.':
    'Der Ertrag dieses Laufs ist stabil, und alle Seeds stimmen überein. Wähle statt des Ertrags die Kurven „gelöst“ und „wohlgeformt“: Sie kommen vom Prüfprogramm, egal was bezahlt wird.',
  'What do the two curves of the run with form paid show?': 'Was zeigen die beiden Kurven des Laufs mit bezahlter Form?',
  'both rise': 'beide steigen',
  'well-formed rises to 1, solved falls to 0': '„wohlgeformt“ steigt auf 1, „gelöst“ fällt auf 0',
  'both fall': 'beide fallen',
  'Mend it': 'Mach es heil',
  'Form stays paid. Mend it with one control: a price for leaving the copied start (KL), pay for letters in the right place, a longer start, or a smaller learning rate. One of the four does not help.':
    'Die Form bleibt bezahlt. Behebe es mit einem Regler: ein Preis für das Verlassen des nachgeahmten Anfangs (KL), Bezahlung für Buchstaben am richtigen Platz, ein längerer Anfang oder eine kleinere Lernrate. Eines der vier hilft nicht.',
  'a greedy reward of at least 0.9 on every seed, with form paid':
    'eine gierige Belohnung von mindestens 0,9 bei jedem Seed, mit bezahlter Form',
  '4 min, step 1, then on the board: what would you write if any four letters earned you a coin, and a right answer ten, which you hit once in twenty?':
    '4 min, Schritt 1, dann an der Tafel: Was würdest du schreiben, wenn vier beliebige Buchstaben eine Münze brächten und eine richtige Antwort zehn, die du in einem von zwanzig Fällen triffst?',
  '6 min, step 2: predict, run. While it trains: what is a group of 16 answers compared with?':
    '6 min, Schritt 2: vorhersagen, laufen lassen. Während des Trainings: Womit wird eine Gruppe von 16 Antworten verglichen?',
  '6 min, step 3: collect the numbers before the run; few say 0.1.': '6 min, Schritt 3: Sammle die Zahlen vor dem Lauf; wenige sagen 0,1.',
  '5 min, step 4: everybody finds the two curves; one says which of them a boss would have looked at.':
    '5 min, Schritt 4: Alle suchen die zwei Kurven; eine Person sagt, auf welche ein Chef gesehen hätte.',
  '8 min, step 5: one control each, then compare: which cures pay for something else, which only hold it back?':
    '8 min, Schritt 5: je ein Regler, dann vergleichen: Welche Mittel bezahlen etwas anderes, welche halten nur zurück?',
  'Three seeds, 120,000 tokens, reward of the greedy test: right answers paid: 1, 1, 1; form paid as well: 0.1, 0.1, 0.1. Form paid and one control moved: KL 0.04: 1, 1, 0.99; KL 0.1, partial reward 0.5 or 60 cloning updates: 1, 1, 1; learning rate 0.0003: still 0.1, 0.1, 0.1.':
    'Drei Seeds, 120.000 Token, Belohnung des gierigen Tests: richtige Antworten bezahlt: 1, 1, 1; auch die Form bezahlt: 0,1, 0,1, 0,1. Form bezahlt und ein Regler verstellt: KL 0,04: 1, 1, 0,99; KL 0,1, Teilbelohnung 0,5 oder 60 Aktualisierungen beim Nachahmen: 1, 1, 1; Lernrate 0,0003: weiter 0,1, 0,1, 0,1.',
  'At the start about half of the answers are well-formed and one in twenty is right: 0.1 that comes often outvotes 1 that comes seldom, whatever their sizes.':
    'Am Anfang ist etwa die Hälfte der Antworten wohlgeformt und eine von zwanzig richtig: 0,1, das oft kommt, überstimmt 1, das selten kommt, wie groß beide auch sind.',
  'Until about 30,000 tokens the curve is that of the demonstrations, so it begins at 1 and falls when the policy writes by itself.':
    'Bis etwa 30.000 Token ist die Kurve die der Vorführungen; deshalb beginnt sie bei 1 und fällt, wenn die Strategie selbst schreibt.',
  'A longer start works by making right answers frequent before form is paid; it does not mend the reward. Nor does a KL: it only holds the policy where right answers still happen.':
    'Ein längerer Anfang wirkt, weil er richtige Antworten häufig macht, bevor die Form bezahlt wird; die Belohnung heilt er nicht. Auch die KL nicht: Sie hält die Strategie nur dort, wo richtige Antworten noch vorkommen.',
  'Two letters more (length): how small must the reward for form be? And where have you been paid for form?':
    'Zwei Buchstaben mehr (Länge): Wie klein muss die Belohnung für die Form sein? Und wo bist du schon für Form bezahlt worden?',
  'The computer learns to be nice, or nasty; the discount is a detail.':
    'Der Computer lernt, nett zu sein, oder gemein; der Diskontfaktor ist eine Nebensache.',
  'Play against a rule': 'Spiel gegen eine Regel',
  'Both cooperate: each loses 1. Both defect: each loses 2. One defects alone: it loses nothing, the other 3. Play ten rounds against tit-for-tat, which does what you did last.':
    'Beide kooperieren: Jeder verliert 1. Beide defektieren (kooperieren nicht): Jeder verliert 2. Einer defektiert allein: Er verliert nichts, der andere 3. Spiel zehn Runden gegen Tit for Tat („wie du mir, so ich dir“), das tut, was du zuletzt getan hast.',
  'Two learners': 'Zwei Lernende',
  'Two agents learn, each for itself, neither with a plan for the other. The return is the sum of both over 100 rounds.':
    'Zwei Agenten lernen, jeder für sich, keiner mit einem Plan für den anderen. Der Ertrag ist die Summe beider über 100 Runden.',
  'Where do they end?': 'Wo enden sie?',
  'both cooperate, -200': 'beide kooperieren, -200',
  'one defects, -300': 'einer defektiert, -300',
  'both defect, -400': 'beide defektieren, -400',
  'two learners': 'zwei Lernende',
  'A partner who remembers': 'Ein Partner, der sich erinnert',
  'One learner plays 100 rounds against tit-for-tat. The discount says how much the next round counts.':
    'Ein Lernender spielt 100 Runden gegen Tit for Tat. Der Diskontfaktor sagt, wie viel die nächste Runde zählt.',
  'Pay for 100 rounds, for each discount': 'Verdienst in 100 Runden, für jeden Diskontfaktor',
  pay: 'Verdienst',
  'discount 0.4': 'Diskontfaktor 0,4',
  'discount 0.6': 'Diskontfaktor 0,6',
  'discount 0.9': 'Diskontfaktor 0,9',
  'It flips between 0.4 and 0.6. On paper: cooperating for ever is worth -1/(1-g), defecting -2g/(1-g). Where are they equal?':
    'Es kippt zwischen 0,4 und 0,6. Auf Papier: Immer kooperieren ist -1/(1-g) wert, defektieren -2g/(1-g). Wo sind sie gleich?',
  'A table of your own': 'Eine eigene Tabelle',
  'Two learners play tit-for-tat on one table, with a discount of 0.9 and of 0.6. On the table so far both cooperate. Change the payoffs so that 0.9 still cooperates and 0.6 defects.':
    'Zwei Lernende spielen auf einer Tabelle gegen Tit for Tat, mit einem Diskontfaktor von 0,9 und von 0,6. Auf der bisherigen Tabelle kooperieren beide. Ändere die Auszahlungen so, dass 0,9 weiter kooperiert und 0,6 defektiert.',
  'on your table a discount of 0.9 earns at least 10 more in its greedy test than a discount of 0.6':
    'auf deiner Tabelle verdient ein Diskontfaktor von 0,9 im gierigen Test mindestens 10 mehr als einer von 0,6',
  '5 min, step 1, in pairs: one plays, one counts.': '5 min, Schritt 1, zu zweit: eine Person spielt, die andere zählt.',
  '4 min, step 2: vote, then run.': '4 min, Schritt 2: abstimmen, dann laufen lassen.',
  '6 min, step 3: the flip. On the wall: -1/(1-g) and -2g/(1-g), equal at g = 1/2.':
    '6 min, Schritt 3: das Kippen. An die Wand: -1/(1-g) und -2g/(1-g), gleich bei g = 1/2.',
  '8 min, step 4: own tables; first work out on paper where the choice flips.':
    '8 min, Schritt 4: eigene Tabellen; zuerst auf Papier ausrechnen, wo die Wahl kippt.',
  '4 min, the board: a table of one pupil, the class says what the learner will do before it is shown.':
    '4 min, die Tafel: die Tabelle einer Person; die Klasse sagt, was der Lernende tun wird, bevor es gezeigt wird.',
  'The flip is at a discount of exactly 0.5, in theory and in the runs.':
    'Das Kippen liegt bei einem Diskontfaktor von genau 0,5, in der Theorie und in den Läufen.',
  'Step 4: on paper the choice flips at (T - R) / (T - P), with T for defecting on a cooperator, R for both cooperating, P for both defecting. With T = 1 it flips at 2/3; lower the pay of the only cooperator (S), too, or taking turns wins.':
    'Schritt 4: Auf Papier kippt die Wahl bei (T - R) / (T - P), mit T für Defektieren gegen jemanden, der kooperiert, R, wenn beide kooperieren, P, wenn beide defektieren. Mit T = 1 kippt sie bei 2/3; senke auch die Auszahlung dessen, der allein kooperiert (S), sonst gewinnt das Abwechseln.',
  'If defecting on a cooperator plus being defected on pays more than cooperating twice, taking turns wins at any discount: a good wrong answer to discuss.':
    'Wenn einmal defektieren und einmal ausgenutzt werden zusammen mehr bringt als zweimal kooperieren, gewinnt das Abwechseln bei jedem Diskontfaktor: eine gute falsche Antwort zum Besprechen.',
  'The coin game: the same dilemma with sight and movement.': 'Das Münzspiel: dasselbe Dilemma mit Sicht und Bewegung.',
  'Equal pay means equal work; the fastest does most.': 'Gleicher Lohn heißt gleiche Arbeit; der Schnellste tut am meisten.',
  'Four hunters, one prey': 'Vier Jäger, eine Beute',
  'Four hunters chase one prey that moves at random. Each catch pays all four the same. One is slow, one is fast. Train, and watch three episodes.':
    'Vier Jäger verfolgen eine Beute, die sich zufällig bewegt. Jeder Fang bezahlt alle vier gleich. Einer ist langsam, einer schnell. Trainiere und sieh dir drei Episoden an.',
  'Who does most of the work?': 'Wer tut die meiste Arbeit?',
  'the slowest': 'der langsamste',
  'the second': 'der zweite',
  'the third': 'der dritte',
  'the fastest': 'der schnellste',
  'all the same': 'alle gleich viel',
  'the team': 'das Team',
  'The same pay': 'Der gleiche Lohn',
  'Look at the return of each hunter: four equal numbers. What do they say about who did the work?':
    'Sieh dir den Ertrag jedes Jägers an: vier gleiche Zahlen. Was sagen sie darüber, wer die Arbeit getan hat?',
  'Without you': 'Ohne dich',
  'Open Why, Team, and run "Who did it". It plays the team with every group of hunters missing, and shares the difference fairly.':
    'Öffne Warum, Team, und starte „Who did it“. Es lässt das Team ohne jede Gruppe von Jägern spielen und teilt den Unterschied gerecht auf.',
  "Of 100 points, how many are the fastest hunter's?": 'Wie viele von 100 Punkten gehören dem schnellsten Jäger?',
  points: 'Punkte',
  'The fastest is not far ahead of the third. What does a hunter do that speed does not show?':
    'Der schnellste liegt nicht weit vor dem dritten. Was tut ein Jäger, das die Geschwindigkeit nicht zeigt?',
  'Do they add up?': 'Geht die Summe auf?',
  'Add the four values. Compare with the return of the whole team less the return with all hunters missing: Shapley values always add up to it.':
    'Addiere die vier Werte. Vergleiche mit dem Ertrag des ganzen Teams abzüglich des Ertrags ohne alle Jäger: Shapley-Werte ergeben zusammen immer genau das.',
  'Before class: step 1 once on the machine that is shown, so that the run is stored.':
    'Vor der Stunde: Schritt 1 einmal auf dem Gerät, das gezeigt wird, damit der Lauf gespeichert ist.',
  '5 min, step 1: everybody ranks the four hunters on paper while it trains.':
    '5 min, Schritt 1: Alle bringen die vier Jäger auf Papier in eine Reihenfolge, während trainiert wird.',
  '4 min, step 2: four equal returns. Collect what they could mean.':
    '4 min, Schritt 2: vier gleiche Erträge. Sammle, was sie bedeuten könnten.',
  '8 min, step 3: divide 100 points, then compute.': '8 min, Schritt 3: 100 Punkte aufteilen, dann rechnen.',
  '5 min, step 4, and talk: where are shares like these used on people?':
    '5 min, Schritt 4, und Gespräch: Wo werden solche Anteile auf Menschen angewendet?',
  'Training takes 400,000 steps, about 45 s on a school laptop; the run stays stored.':
    'Das Training braucht 400.000 Schritte, etwa 45 s auf einem Schul-Laptop; der Lauf bleibt gespeichert.',
  'Other stand-ins (random in place of idle) ask another question and give other numbers: never average them.':
    'Andere Ersatzspieler (zufällig statt untätig) stellen eine andere Frage und geben andere Zahlen: Bilde nie ein Mittel daraus.',
  'Shares are not wages. Say so before somebody else does.': 'Anteile sind keine Löhne. Sag es, bevor es jemand anderes sagt.',
  'Group work of three pupils: eight subsets on paper, one value each.':
    'Eine Gruppenarbeit zu dritt: acht Teilmengen auf Papier, je ein Wert.',
  'A copy is at best as good as its model, and more of the same makes it better.':
    'Eine Kopie ist höchstens so gut wie ihr Vorbild, und mehr davon macht sie besser.',
  'Keep the pole up for a few games, with the arrow keys. Have it copied and watch. Where it errs, take over; then have it copied again.':
    'Halte den Stab ein paar Spiele lang aufrecht, mit den Pfeiltasten. Lass es nachmachen und sieh zu. Wo die Kopie Fehler macht, greif ein; dann lass es wieder nachmachen.',
  'A model who errs': 'Ein Vorbild, das Fehler macht',
  'A script can keep the pole up to the end, 500 steps. This one presses at random in more than half of all steps, and mostly falls. An agent copies what it did.':
    'Ein Programm kann den Stab bis zum Ende halten, 500 Schritte. Dieses drückt in mehr als der Hälfte aller Schritte zufällig und verliert ihn meistens. Ein Agent kopiert, was es getan hat.',
  'How long does the copy keep the pole up?': 'Wie lange hält die Kopie den Stab aufrecht?',
  'copy of a model who errs': 'Kopie eines fehlerhaften Vorbilds',
  'The copy is better than its model. Which of its presses did it not learn?':
    'Die Kopie ist besser als ihr Vorbild. Welche seiner Tastendrücke hat sie nicht gelernt?',
  'A random demonstrator': 'Ein zufälliges Vorbild',
  'Now every press of the demonstrator is random, and the pole falls after some 20 steps.':
    'Jetzt ist jeder Tastendruck des Vorbilds zufällig, und der Stab fällt nach etwa 20 Schritten.',
  'How long does the copy of all these games keep it up?': 'Wie lange hält ihn die Kopie aller dieser Spiele?',
  'about as long': 'etwa gleich lang',
  'some 100 steps': 'etwa 100 Schritte',
  'to the end': 'bis zum Ende',
  'copy of chance': 'Kopie des Zufalls',
  'Copy the luckiest': 'Kopiere die glücklichsten',
  'Some of these games lasted longer by luck. Choose how many of the best games are copied, and reach 100 steps.':
    'Manche dieser Spiele dauerten durch Glück länger. Wähle, wie viele der besten Spiele kopiert werden, und erreiche 100 Schritte.',
  'copy of the luckiest': 'Kopie der glücklichsten',
  'a greedy return of at least 100 as the mean over seeds': 'ein gieriger Ertrag von mindestens 100 im Mittel über die Seeds',
  '10 min, step 1, in pairs: one plays, one watches the copy and says where it errs. Then they change places.':
    '10 min, Schritt 1, zu zweit: eine Person spielt, die andere beobachtet die Kopie und sagt, wo sie Fehler macht. Dann wird getauscht.',
  '5 min, step 2: predict, run. The errors point nowhere; what is left of them is the rule.':
    '5 min, Schritt 2: vorhersagen, laufen lassen. Die Fehler zeigen in keine Richtung; was ohne sie bleibt, ist die Regel.',
  '4 min, step 3: chance has no rule to copy.': '4 min, Schritt 3: Der Zufall hat keine Regel zum Kopieren.',
  '6 min, step 4: luck can be chosen. Too few games are a problem again: find the best share.':
    '6 min, Schritt 4: Glück lässt sich auswählen. Zu wenige Spiele sind wieder ein Problem: Finde den besten Anteil.',
  'In step 1 the returns of the player and of every copy stand side by side; corrections count from the next copy on.':
    'In Schritt 1 stehen die Erträge der spielenden Person und jeder Kopie nebeneinander; Korrekturen zählen ab der nächsten Kopie.',
  'The best tenth of chance gives copies of 150 to 500 steps; all of it gives 10 to 40.':
    'Das beste Zehntel des Zufalls ergibt Kopien von 150 bis 500 Schritten; alle Spiele zusammen ergeben 10 bis 40.',
  'What was played stays on the machine, and can be deleted on the page Data.':
    'Was gespielt wurde, bleibt auf dem Gerät und lässt sich auf der Seite Daten löschen.',
  'The same on slippery ice (frozen lake): where does chance take the copy that you never were?':
    'Dasselbe auf rutschigem Eis (zugefrorener See): Wohin bringt der Zufall die Kopie, wo du nie warst?',
  'A machine needs a formula for what is good; more training makes up for bad answers.':
    'Eine Maschine braucht eine Formel dafür, was gut ist; mehr Training gleicht schlechte Antworten aus.',
  'What is better?': 'Was ist besser?',
  'A pendulum and a weak motor: you want it to stand up and keep still. Play it once. Now try to write a formula that says how good a moment is.':
    'Ein Pendel und ein schwacher Motor: Du willst, dass es aufrecht steht und stillhält. Spiel es einmal. Versuche jetzt, eine Formel zu schreiben, die sagt, wie gut ein Moment ist.',
  'Say it without a formula': 'Sag es ohne Formel',
  'Two moments of random play, side by side: choose the better one, with 1 and 2 or a tap. Twenty answers make a start, sixty are better. Then let an agent learn: it never sees the true reward.':
    'Zwei Momente aus zufälligem Spiel, nebeneinander: Wähle den besseren, mit 1 und 2 oder durch Antippen. Zwanzig Antworten sind ein Anfang, sechzig sind besser. Lass dann einen Agenten lernen: Die wahre Belohnung sieht er nie.',
  'Sixty answers or seven hundred': 'Sechzig Antworten oder siebenhundert',
  'A script answers in your place, by the true reward. Once it answers sixty pairs, one answer in ten wrong; once seven hundred, all right.':
    'Ein Programm antwortet an deiner Stelle, nach der wahren Belohnung. Einmal beantwortet es sechzig Paare, jede zehnte Antwort falsch; einmal siebenhundert, alle richtig.',
  'Three agents learn from each. What do they learn?': 'Je drei Agenten lernen daraus. Was lernen sie?',
  'all six stand up': 'alle sechs richten sich auf',
  'seven hundred: all three stand up, sixty: some of them': 'siebenhundert: alle drei richten sich auf, sechzig: manche davon',
  'seven hundred: all three stand up, sixty: none': 'siebenhundert: alle drei richten sich auf, sechzig: keiner',
  'none stands up: answers are no reward': 'keiner richtet sich auf: Antworten sind keine Belohnung',
  '60 answers, one in ten wrong': '60 Antworten, jede zehnte falsch',
  '700 answers, none wrong': '700 Antworten, keine falsch',
  'With sixty answers the seeds lie far apart. Look at the curve of the learned reward beside the return: what did the worst agent do well?':
    'Mit sechzig Antworten liegen die Seeds weit auseinander. Sieh dir die Kurve „gelernte Belohnung“ neben dem Ertrag an: Was hat der schlechteste Agent gut gemacht?',
  'How few are enough?': 'Wie wenige genügen?',
  'Every answer costs somebody’s time. Set how many there are and how many of them are wrong; reach -500, standing still is about -170.':
    'Jede Antwort kostet jemanden Zeit. Stell ein, wie viele es sind und wie viele davon falsch; erreiche -500; aufrecht stehen ist etwa -170.',
  'my answers': 'meine Antworten',
  'a greedy return of at least -500 as the mean over seeds': 'ein gieriger Ertrag von mindestens -500 im Mittel über die Seeds',
  '4 min, step 1: play, then three formulas on the wall. Does each of them forbid spinning?':
    '4 min, Schritt 1: spielen, dann drei Formeln an die Wand. Verbietet jede davon, dass es sich immer weiterdreht?',
  '10 min, step 2: twenty answers each. Two neighbours with different tastes get two agents.':
    '10 min, Schritt 2: je zwanzig Antworten. Zwei Nachbarn mit verschiedenem Geschmack bekommen zwei Agenten.',
  '6 min, step 3: predict, run. Sixty answers are luck.':
    '6 min, Schritt 3: vorhersagen, laufen lassen. Sechzig Antworten sind Glückssache.',
  '6 min, step 4: the board of the fewest answers.': '6 min, Schritt 4: die Tafel: Wer kommt mit den wenigsten Antworten aus?',
  'Random play scores about -1,210, an agent with the true reward -160 to -180. Sixty answers with one error in ten: seeds from -200 to -1,600; seven hundred without errors: -170 to -240.':
    'Zufälliges Spiel erreicht etwa -1.210, ein Agent mit der wahren Belohnung -160 bis -180. Sechzig Antworten mit einem Fehler auf zehn: Seeds von -200 bis -1.600; siebenhundert ohne Fehler: -170 bis -240.',
  'The learned reward climbs in every run, also where the return falls: the agent maximises the learned reward, which is only an estimate of the preference.':
    'Die gelernte Belohnung steigt in jedem Lauf, auch wo der Ertrag fällt: Der Agent maximiert die gelernte Belohnung, die nur eine Schätzung der Präferenz ist.',
  'A task of your own: prefer moments in which it swings. Does it learn to swing?':
    'Eine eigene Aufgabe: Bevorzuge Momente, in denen es schwingt. Lernt es schwingen?',
  'More updates on the same recording make a method surer and better.':
    'Mehr Aktualisierungen mit derselben Aufzeichnung machen eine Methode sicherer und besser.',
  'A recording': 'Eine Aufzeichnung',
  'From the ring to the green goal, along the cliff: a step costs 1, a fall 100. Walk it once. A script walked it 77 times, always the same 13 steps; that is all that is recorded.':
    'Vom Ring zum grünen Ziel, an der Klippe entlang: Ein Schritt kostet 1, ein Sturz 100. Geh den Weg einmal. Ein Programm ging ihn 77-mal, immer dieselben 13 Schritte; mehr ist nicht aufgezeichnet.',
  'Learn from the recording alone': 'Nur aus der Aufzeichnung lernen',
  'Q-learning learns from these steps, 3,000 updates, and never takes one itself. It knows the reward of every step on the path.':
    'Q-Learning lernt aus diesen Schritten, 3.000 Aktualisierungen, und macht selbst nie einen. Es kennt die Belohnung jedes Schritts auf dem Weg.',
  'What does it do when it walks?': 'Welchen Weg geht es selbst?',
  'the same 13 steps': 'dieselben 13 Schritte',
  'a shorter way': 'einen kürzeren Weg',
  'the safe way further up': 'den sicheren Weg weiter oben',
  'it does not arrive': 'es kommt nicht an',
  'plain Q-learning': 'einfaches Q-Learning',
  'It has seen nothing but perfect walks. Where did it get the idea to leave them?':
    'Es hat nur perfekte Wege gesehen. Woher kommt die Idee, sie zu verlassen?',
  'Its value estimates': 'Seine geschätzten Werte',
  'Colours are values, arrows the best action. Cells that were never visited have values too: guesses. In the cells of the path three of four actions are guesses, and the highest one wins.':
    'Farben sind Werte, Pfeile die beste Aktion. Auch Felder, die nie besucht wurden, haben Werte: geratene. In den Feldern des Wegs sind drei von vier Aktionen geraten, und der höchste Wert gewinnt.',
  'Doubt what was not seen': 'Bezweifeln, was nicht gesehen wurde',
  'CQL pushes the values of all actions down, and those of the recorded ones up again. The conservative weight says how hard.':
    'CQL drückt die Werte aller Aktionen nach unten und die der aufgezeichneten wieder hoch. Das konservative Gewicht sagt, wie stark.',
  'What does it earn per walk?': 'Was verdient es pro Weg?',
  'conservative weight 1': 'konservatives Gewicht 1',
  'Or show it more': 'Oder zeig ihm mehr',
  'The weight is 0 again. Choose another recording, and how long it is: what must it hold so that no doubt is needed? There are 10,000 updates now.':
    'Das Gewicht ist wieder 0. Wähle eine andere Aufzeichnung und ihre Länge: Was muss sie enthalten, damit kein Zweifel nötig ist? Es gibt jetzt 10.000 Aktualisierungen.',
  'my recording': 'meine Aufzeichnung',
  'the 13 steps on 3 of 5 seeds, without any doubt': 'die 13 Schritte bei 3 von 5 Seeds, ohne konservatives Gewicht',
  '3 min, step 1: walk it. Count with the class how many of the 48 cells the recording shows.':
    '3 min, Schritt 1: den Weg gehen. Zähle mit der Klasse, wie viele der 48 Felder die Aufzeichnung zeigt.',
  '6 min, step 2: predict, run. Nobody expects it; let the surprise stand.':
    '6 min, Schritt 2: vorhersagen, laufen lassen. Kaum jemand erwartet es; lass die Überraschung stehen.',
  '6 min, step 3: look for the cell where it leaves the path. What was never tried there?':
    '6 min, Schritt 3: Sucht das Feld, in dem es den Weg verlässt. Was wurde dort nie probiert?',
  '5 min, step 4: the same recording, and doubt.': '5 min, Schritt 4: dieselbe Aufzeichnung, und Zweifel.',
  '5 min, step 5: random, medium and expert play together show what not to do.':
    '5 min, Schritt 5: Zufälliges, mittleres und Expertenspiel zusammen zeigen, was man nicht tun soll.',
  'Plain Q-learning ends at -1,000, in circles or against the edge, or at -100,000, into the cliff at every step: a guess above -13 is enough.':
    'Einfaches Q-Learning endet bei -1.000, im Kreis oder gegen den Rand, oder bei -100.000, mit jedem Schritt in die Klippe: Ein geratener Wert über -13 genügt.',
  'A conservative weight of 0.1 is enough for the 13 steps; 0.01 is not.':
    'Ein konservatives Gewicht von 0,1 genügt für die 13 Schritte; 0,01 nicht.',
  'Without doubt the mixed recording of 10,000 steps gives the 13 steps; expert and medium play do not, however long.':
    'Ohne konservatives Gewicht ergibt die gemischte Aufzeichnung von 10.000 Schritten die 13 Schritte; Expertenspiel und mittleres Spiel tun es nicht, so lang sie auch sind.',
  'CartPole, recorded by an expert: does plain Q-learning fail there too, and after how many updates?':
    'CartPole, von einem Experten aufgezeichnet: Scheitert einfaches Q-Learning auch dort, und nach wie vielen Aktualisierungen?',
  'What was learned once stays learned; other places need other knowledge, so they cannot harm it.':
    'Was einmal gelernt wurde, bleibt gelernt; andere Orte brauchen anderes Wissen und können ihm also nicht schaden.',
  'Two tasks': 'Zwei Aufgaben',
  'The first task: from S along the upper row to G. The second, on the same lake: along the lower row, from right to left. Between them lies a row of holes. Walk the first one.':
    'Die erste Aufgabe: von S die obere Reihe entlang nach G. Die zweite, auf demselben See: die untere Reihe entlang, von rechts nach links. Dazwischen liegt eine Reihe von Löchern. Geh den ersten Weg.',
  'One after the other': 'Eine nach der anderen',
  'A small network learns the first task for 16,000 steps, then the second for as many. It sees its cell only, not which task it is. It never meets a cell of the upper row again.':
    'Ein kleines Netz lernt die erste Aufgabe 16.000 Schritte lang, dann die zweite ebenso lang. Es sieht nur sein Feld, nicht, welche Aufgabe es ist. Ein Feld der oberen Reihe trifft es nie wieder.',
  'At the end it plays both tasks. Which can it do?': 'Am Ende spielt es beide Aufgaben. Welche kann es?',
  both: 'beide',
  'only the first': 'nur die erste',
  'only the second': 'nur die zweite',
  neither: 'keine',
  'one after the other': 'eine nach der anderen',
  'After the first block it walked the upper row without a fault. No step was taken there since. What changed its actions?':
    'Nach dem ersten Block ging es die obere Reihe ohne Fehler. Seitdem wurde dort kein Schritt gemacht. Was hat seine Aktionen verändert?',
  'What it would do now': 'Was es jetzt tun würde',
  'The arrows are its best actions. In the lower row they point to the goal. Find the cell of the upper row whose arrow has turned: one is enough to lose the whole way.':
    'Die Pfeile sind seine besten Aktionen. In der unteren Reihe zeigen sie zum Ziel. Finde das Feld der oberen Reihe, dessen Pfeil sich gedreht hat: Eines genügt, um den ganzen Weg zu verlieren.',
  'In turns': 'Abwechselnd',
  'The same steps, but the task changes with every episode.': 'Dieselben Schritte, aber die Aufgabe wechselt mit jeder Episode.',
  'In how many of 100 episodes does it now reach the goal?': 'In wie vielen von 100 Episoden erreicht es jetzt das Ziel?',
  'in turns': 'abwechselnd',
  'Let it remember': 'Lass es sich erinnern',
  'One after the other again, and now it is told which task it is in. It learns from the last 500 steps that it kept; older ones are dropped. Change how many it keeps, or another setting, until it can do both tasks.':
    'Wieder eine nach der anderen, und jetzt wird ihm gesagt, in welcher Aufgabe es ist. Es lernt aus den letzten 500 Schritten, die es behalten hat; ältere fallen weg. Ändere, wie viele es behält, oder eine andere Einstellung, bis es beide Aufgaben kann.',
  'every episode of both tasks reaches the goal, on all 5 seeds': 'jede Episode beider Aufgaben erreicht das Ziel, bei allen 5 Seeds',
  '3 min, step 1: walk it. Ask whether somebody who learns the second way can lose the first.':
    '3 min, Schritt 1: den Weg gehen. Frag, ob jemand, der den zweiten Weg lernt, den ersten verlieren kann.',
  '6 min, step 2: predict, run. In the training panel stands the return of each task after each block.':
    '6 min, Schritt 2: vorhersagen, laufen lassen. Im Bereich des Trainings steht der Ertrag jeder Aufgabe nach jedem Block.',
  '4 min, step 3: the arrows. Which part of the network do both rows share?':
    '4 min, Schritt 3: die Pfeile. Welchen Teil des Netzes teilen sich beide Reihen?',
  '5 min, step 4: in turns. Why does the order matter when the steps are the same?':
    '5 min, Schritt 4: abwechselnd. Warum ist die Reihenfolge wichtig, wenn die Schritte dieselben sind?',
  '6 min, step 5: how much must be kept? Let groups try different sizes and put them on the board.':
    '6 min, Schritt 5: Wie viel muss behalten werden? Lass Gruppen verschiedene Größen probieren und an die Tafel schreiben.',
  'How many of ten seeds can do both tasks at the end: with 500 steps kept, 1; in turns, 10. In the last step, of twenty: with 500 steps kept, 4; with 2,000, 19; with all 32,000, 20; with 500 and heads, 16; EWC or online EWC, 18; packed masks, rehearsal or several remedies, 20. All can do the first task after the first block.':
    'Wie viele von zehn Seeds am Ende beide Aufgaben können: mit 500 behaltenen Schritten 1; abwechselnd 10. Im letzten Schritt, von zwanzig: mit 500 behaltenen Schritten 4; mit 2.000 19; mit allen 32.000 20; mit 500 und heads 16; EWC oder online EWC 18; packed masks, rehearsal oder several 20. Alle können die erste Aufgabe nach dem ersten Block.',
  'A score near 0.5 means one of the two tasks: both are drawn equally often.':
    'Ein Ergebnis nahe 0,5 bedeutet, dass nur eine der beiden Aufgaben gelingt: Beide werden gleich oft gezogen.',
  'Cells have weights of their own in the first layer, which the second task never changes. The layer behind it is shared: that is where the first task is lost.':
    'Felder haben in der ersten Schicht eigene Gewichte, die die zweite Aufgabe nie ändert. Die Schicht dahinter ist geteilt: Dort geht die erste Aufgabe verloren.',
  'A table has no shared part. Train Q-learning on rows of five cells, one after the other: does it forget?':
    'Eine Tabelle hat keinen geteilten Teil. Trainiere Q-Learning auf Reihen von fünf Feldern, einer nach der anderen: Vergisst es?',
  'epsilon start': 'Epsilon am Anfang',
  'Share of uniformly random actions at first.': 'Anteil gleichverteilt zufälliger Aktionen am Anfang.',
  exploration: 'Exploration',
  decay: 'Abklingen',
  'None, or in a straight line to end values over the first episodes.':
    'Keines, oder in gerader Linie zu den Endwerten während der ersten Episoden.',
  'step size end': 'Schrittweite am Ende',
  'Step size after the decay; empty keeps it constant.': 'Schrittweite nach dem Abklingen; leer bleibt sie gleich.',
  'epsilon end': 'Epsilon am Ende',
  'Share of uniformly random actions after the decay; empty keeps it constant.':
    'Anteil gleichverteilt zufälliger Aktionen nach dem Abklingen; leer: er bleibt gleich.',
  'decay length': 'Dauer des Abklingens',
  'Episodes until step size and epsilon reach their end values.': 'Episoden, bis Schrittweite und Epsilon ihre Endwerte erreichen.',
  'step size (alpha)': 'Schrittweite (alpha)',
  'Share of the TD error that is added to the value.': 'Anteil des TD-Fehlers, der zum Wert addiert wird.',
  'initial value': 'Anfangswert',
  'Optimistic values make the agent try everything once.': 'Mit optimistischen Werten probiert der Agent alles einmal.',
  map: 'Karte',
  'Rows of the coast, top to bottom: S start, . ground, C cliff, G goal.':
    'Zeilen der Küste, von oben nach unten: S Start, . Boden, C Klippe, G Ziel.',
  'learning rate': 'Lernrate',
  'Initial step size of Adam.': 'Anfängliche Schrittweite von Adam.',
  optimisation: 'Optimierung',
  'discount factor (gamma)': 'Diskontfaktor (gamma)',
  'Weight of a reward one step later.': 'Gewicht einer Belohnung, die einen Schritt später kommt.',
  returns: 'Erträge',
  'entropy coefficient': 'Entropiekoeffizient',
  'Weight of the entropy of the policy in the loss: more exploration.': 'Gewicht der Entropie der Strategie im Verlust: mehr Exploration.',
  loss: 'Verlust',
  'clip range': 'Clip-Grenze',
  'How far one update may move the probability of an action.':
    'Wie weit eine Aktualisierung die Wahrscheinlichkeit einer Aktion verschieben darf.',
  epochs: 'Epochen',
  'Passes over each rollout.': 'Durchgänge durch jeden Rollout.',
  rollout: 'Rollout',
  'Step size of Adam.': 'Schrittweite von Adam.',
  'target update interval': 'Abstand der Zielnetz-Kopien',
  'Steps between two updates of the target network.': 'Schritte zwischen zwei Aktualisierungen des Zielnetzes.',
  target: 'Zielnetz',
  'Share of uniformly random actions after the decay.': 'Anteil gleichverteilt zufälliger Aktionen nach dem Abklingen.',
  'partial reward': 'Teilbelohnung',
  'Times the share of a wrong answer that is right.': 'Wird mit dem richtigen Anteil einer falschen Antwort multipliziert.',
  'warm start': 'Vorbereitung',
  'Step size of AdamW: 1e-3 where rewards are dense, 3e-4 where success is rare.':
    'Schrittweite von AdamW: 1e-3, wo Belohnungen häufig sind, 3e-4, wo Erfolg selten ist.',
  seats: 'Plätze',
  'Seats given to players that do not learn; the others are trained.':
    'Plätze für Spieler, die nicht lernen; die übrigen werden trainiert.',
  game: 'Spiel',
  'Which payoffs, unless you give your own. For any number of players: public-goods, n-dilemma, n-stag-hunt, volunteer, minority, n-coordination.':
    'Welche Auszahlungen, wenn du keine eigenen angibst. Für beliebig viele Spieler: public-goods, n-dilemma, n-stag-hunt, volunteer, minority, n-coordination.',
  payoffs: 'Auszahlungen',
  'Own symmetric game of two actions: what a player gets for CC, CD, DC, DD, own action first; empty: those of the game.':
    'Eigenes symmetrisches Spiel mit zwei Aktionen: was ein Spieler für CC, CD, DC, DD bekommt, die eigene Aktion zuerst; leer: die des Spiels.',
  'payoffs of the row player': 'Auszahlungen des Zeilenspielers',
  'Own table, one list per action of the row player; empty: those of the game.':
    'Eigene Tabelle, eine Liste pro Aktion des Zeilenspielers; leer: die des Spiels.',
  'payoffs of the column player': 'Auszahlungen des Spaltenspielers',
  'Own table of the same shape; empty: the same payoffs for both.':
    'Eigene Tabelle derselben Form; leer: dieselben Auszahlungen für beide.',
  'best episodes kept': 'behaltene beste Episoden',
  'Share of the episodes with the highest returns that is learned from; 0.1 is "the best tenth".':
    'Anteil der Episoden mit den höchsten Erträgen, aus denen gelernt wird; 0,1 ist „das beste Zehntel“.',
  data: 'Daten',
  'answers asked for': 'Zahl der Antworten',
  'Of the script, over the whole run.': 'Des Programms, über den ganzen Lauf.',
  'errors of the rater': 'Fehler beim Bewerten',
  'Share of the answers that are the wrong way round.': 'Anteil der Antworten, die verkehrt herum sind.',
  dataset: 'Datensatz',
  'What is learned from: a recorded dataset, or a grade that the environment’s own player records first.':
    'Woraus gelernt wird: ein aufgezeichneter Datensatz oder eine Spielstärke, die der eigene Spieler der Umgebung zuerst aufzeichnet.',
  'recorded steps': 'aufgezeichnete Schritte',
  'Of a grade that the run records for itself; a chosen dataset is taken whole.':
    'Bei einer Spielstärke, die der Lauf selbst aufzeichnet; ein gewählter Datensatz wird ganz genommen.',
  'replay buffer size': 'Größe des Replay-Puffers',
  'The newest transitions that are kept.': 'Die neuesten Übergänge, die behalten werden.',
  replay: 'Replay',
  'hidden layers': 'verborgene Schichten',
  'Units of each layer.': 'Einheiten jeder Schicht.',
  network: 'Netz',
  'Cliff walking': 'Klippenwanderung',
  'Token tasks': 'Token-Aufgaben',
  'Matrix games': 'Matrixspiele',
  Pendulum: 'Pendel',
  'against forgetting': 'gegen das Vergessen',
  'Where tasks follow one another: a penalty on moving weights that mattered (elastic weight consolidation), transitions of all tasks that are kept and learned from again, several of them together with resets of units and borders found by the loss, or parts of the network for each task that agents are told.':
    'Wo Aufgaben aufeinanderfolgen: ein Strafterm auf das Verändern von Gewichten, die wichtig waren (Elastic Weight Consolidation); Übergänge aller Aufgaben, die behalten werden und aus denen wieder gelernt wird; mehrere dieser Mittel zusammen, mit Zurücksetzen von Einheiten und Aufgabengrenzen, die am Verlust erkannt werden; oder Teile des Netzes für jede Aufgabe, die den Agenten gesagt wird.',
  variant: 'Variante',
  'KL to a reference': 'KL zu einer Referenz',
  'Stays near a reference: the policy that learning by reward began with (fixed), or one that follows (moving).':
    'Bleibt nahe an einer Referenz: an der Strategie, mit der das Lernen aus Belohnung begann (fixed), oder an einer, die folgt (moving).',
  'cloned start': 'nachgeahmter Anfang',
  'Copies a script of the environment before anything else.': 'Ahmt zuallererst eine programmierte Strategie der Umgebung nach.',
  'An agent understands what a reward is meant for.': 'Ein Agent versteht, wofür eine Belohnung gedacht ist.',
  'Paid by the world': 'Von der Welt bezahlt',
  'Every step costs 1, a step into the cliff costs 100 and leads back to the start, and the goal ends the walk. Q-learning knows nothing but these numbers.':
    'Jeder Schritt kostet 1, ein Schritt in die Klippe kostet 100 und führt zum Start zurück, und das Ziel beendet den Weg. Q-Learning kennt nur diese Zahlen.',
  'Which way does it walk in the end, without exploring?': 'Welchen Weg geht er am Ende, ohne Exploration?',
  'along the edge': 'am Rand entlang',
  'one row away from the edge': 'eine Reihe vom Rand entfernt',
  'as far from the edge as it can': 'so weit vom Rand wie möglich',
  'as the world pays': 'wie die Welt bezahlt',
  'While it learned it fell again and again. Why does the edge still pay best?':
    'Beim Lernen fiel er immer wieder hinab. Warum lohnt sich der Rand trotzdem am meisten?',
  'Afraid of the edge': 'Angst vor dem Rand',
  'This is a reward in code: what it returns is paid, and here it returns what the world pays. Cells have numbers from 0, twelve in a row: the row at the edge is 24 to 35, and <code>next.state</code> is the cell that was reached. Let some of them cost more, so that it walks elsewhere.':
    'Das ist eine Belohnung als Code: Was er zurückgibt, wird bezahlt, und hier gibt er zurück, was die Welt bezahlt. Felder haben Nummern ab 0, zwölf in einer Reihe: Die Reihe am Rand ist 24 bis 35, und <code>next.state</code> ist das erreichte Feld. Lass einige davon mehr kosten, sodass er anderswo entlanggeht.',
  'a way round that the world pays with -20 to -14 on every seed': 'ein Umweg, den die Welt bei jedem Seed mit -20 bis -14 bezahlt',
  'A coin a step': 'Eine Münze je Schritt',
  'Every step that does not fall now earns 1, as a praise for being careful. The goal still ends the walk.':
    'Jeder Schritt ohne Sturz bringt jetzt 1, als Lob für Vorsicht. Das Ziel beendet den Weg weiterhin.',
  'What does it learn?': 'Was lernt er?',
  'the shortest way': 'den kürzesten Weg',
  'a longer way to the goal': 'einen längeren Weg zum Ziel',
  'to walk about and never arrive': 'umherzugehen und nie anzukommen',
  'Coins to the right': 'Münzen nach rechts',
  'The goal lies to the right, so each step to the right earns 3 more. That is help, not a new goal. Or is it?':
    'Das Ziel liegt rechts, also bringt jeder Schritt nach rechts 3 mehr. Das ist Hilfe, kein neues Ziel. Oder doch?',
  'the shortest way, and sooner': 'den kürzesten Weg, und früher',
  'to go to and fro and never arrive': 'hin und her zu gehen und nie anzukommen',
  'Keep the help, mend the fault': 'Die Hilfe behalten, den Fehler beheben',
  'Steps to the right still earn 3 more. Add one line, so that going to and fro earns nothing and every seed arrives.':
    'Schritte nach rechts bringen weiter 3 mehr. Füge eine Zeile hinzu, sodass Hin- und Hergehen nichts bringt und jeder Seed ankommt.',
  'every seed arrives: the world pays at least -17': 'jeder Seed kommt an: Die Welt bezahlt mindestens -17',
  '4 min, step 1: predict, run.': '4 min, Schritt 1: vorhersagen, laufen lassen.',
  '8 min, step 2: each writes a line. Who finds the cheapest way round, -15?':
    '8 min, Schritt 2: Jeder schreibt eine Zeile. Wer findet den billigsten Umweg, -15?',
  '8 min, steps 3 and 4: predict, then train. Which measure shows that something is wrong?':
    '8 min, Schritte 3 und 4: vorhersagen, dann trainieren. Welches Maß zeigt, dass etwas nicht stimmt?',
  '8 min, step 5: one line. Compare the lines on the board: what do those that work have in common?':
    '8 min, Schritt 5: eine Zeile. Vergleicht die Zeilen an der Tafel: Was haben die gemeinsam, die wirken?',
  'As the world pays, every seed walks along the edge: -13. With 5 off for each cell from 24 to 35 every seed goes one row further: -15 as the world pays, -25 under the new reward.':
    'Wie die Welt bezahlt, geht jeder Seed am Rand entlang: -13. Mit 5 Abzug für jedes Feld von 24 bis 35 geht jeder Seed eine Reihe weiter: -15, wie die Welt bezahlt, -25 unter der neuen Belohnung.',
  'Under a coin a step the curve of the new reward only climbs, and no seed arrives. Under coins to the right none arrives either.':
    'Mit einer Münze je Schritt steigt die Kurve der neuen Belohnung nur, und kein Seed kommt an. Mit Münzen nach rechts kommt auch keiner an.',
  'What mends it pays nothing for a circle: 3 off for each step to the left gives -13, -17 and -13. Rewards of this kind come from a potential and leave the best way the best (Ng, Harada and Russell 1999).':
    'Was hilft, bezahlt für einen Kreis nichts: 3 Abzug für jeden Schritt nach links ergibt -13, -17 und -13. Solche Belohnungen kommen aus einem Potential und lassen den besten Weg den besten bleiben (Ng, Harada und Russell 1999).',
  'The same for another world: Write your own, Reward. Try a car on a hill that is paid for its speed.':
    'Dasselbe für eine andere Welt: „Selbst schreiben“, „Reward“. Probiere ein Auto am Hang, das für sein Tempo bezahlt wird.',
  'Your reward. Escape, then Tab, leaves the editor.': 'Deine Belohnung. Escape, dann Tab, verlässt den Editor.',
  'Line {n}.': 'Zeile {n}.',
  Stop: 'Beenden',
  'Train {n} seeds': '{n} Seeds trainieren',
  'The first code again': 'Wieder der erste Code',
  'Return of what was learned, without exploring': 'Ertrag des Gelernten, ohne Exploration',
  seed: 'Seed',
  'as your code pays': 'wie dein Code bezahlt',
  'Training has ended.': 'Das Training ist zu Ende.',
  'An episode of what was learned: {n} steps, your code pays {value}.':
    'Eine Episode des Gelernten: {n} Schritte, dein Code bezahlt {value}.',
  'An episode of random actions: {n} steps, your code pays {value}.':
    'Eine Episode zufälliger Aktionen: {n} Schritte, dein Code bezahlt {value}.',
  'episode length': 'Episodenlänge',
  'mean Q': 'mittleres Q',
  'TD error (absolute)': 'TD-Fehler (absolut)',
  'gradient norm': 'Gradientennorm',
  epsilon: 'Epsilon',
  'observations counted': 'gezählte Beobachtungen',
  'targets outside the atoms': 'Zielwerte außerhalb der Atome',
  'penalty against forgetting': 'Strafterm gegen das Vergessen',
  'target copies': 'Kopien ins Zielnetz',
  'pass@1, sampled': 'pass@1, gezogen',
  'pass@8, sampled': 'pass@8, gezogen',
  'completion length': 'Antwortlänge',
  'uniform groups': 'einheitliche Gruppen',
  'policy loss': 'Verlust der Strategie',
  'clip fraction': 'Clip-Anteil',
  'KL to the old policy': 'KL zur alten Strategie',
  'own successes': 'eigene Erfolge',
  'partial starts': 'Teilverläufe als Start',
  'cloning loss': 'Verlust beim Nachahmen',
  'demonstrations met': 'Übereinstimmung mit Vorführungen',
  solved: 'gelöst',
  'well-formed': 'wohlgeformt',
  'value loss': 'Verlust der Wertfunktion',
  'approximate KL': 'KL (Näherung)',
  'explained variance': 'erklärte Varianz',
  answers: 'Antworten',
  'reward loss': 'Verlust des Belohnungsmodells',
  'reward agreement': 'Übereinstimmung mit der wahren Belohnung',
  'learned reward': 'gelernte Belohnung',
  'wins against the worst rival': 'Siege gegen den stärksten Gegner',
  constant: 'konstant',
  'KL coefficient': 'KL-Koeffizient',
  'Weight of the KL to the reference.': 'Gewicht der KL zur Referenz.',
  'KL estimate': 'KL-Schätzer',
  'k3 is never negative; k2 has the gradient of the reverse KL; k1 as a loss does nothing on average.':
    'k3 ist nie negativ; k2 hat den Gradienten der umgekehrten KL; k1 bewirkt als Verlust im Mittel nichts.',
  'moves every': 'bewegt sich alle',
  'The reference follows the learned policy after so many updates.':
    'Nach so vielen Aktualisierungen folgt die Referenz der gelernten Strategie.',
  'step of the reference': 'Schrittweite der Referenz',
  'Share of the way to the learned policy that it goes when it moves.':
    'Anteil des Wegs zur gelernten Strategie, den sie bei jeder Bewegung zurücklegt.',
  'cloning updates': 'Aktualisierungen beim Nachahmen',
  'Updates on demonstrations before any reward.': 'Aktualisierungen mit Vorführungen, bevor es Belohnung gibt.',
  'learning rate of cloning': 'Lernrate beim Nachahmen',
  'Step size of AdamW on demonstrations.': 'Schrittweite von AdamW bei den Vorführungen.',
  'cloning ends at': 'Nachahmen endet bei',
  'Cloning ends before its last update once this share of new demonstrations is what the policy would write greedily, a running mean; 1: never.':
    'Das Nachahmen endet vor der letzten Aktualisierung, sobald die Strategie gierig diesen Anteil neuer Vorführungen selbst so schriebe (laufendes Mittel); 1: nie.',
  'demonstrations apart': 'getrennte Vorführungen',
  'Every row copies a demonstration of its own; off: rows of a group copy the same one.':
    'Jede Zeile ahmt eine eigene Vorführung nach; aus: Zeilen einer Gruppe ahmen dieselbe nach.',
  teacher: 'Lehrer',
  'The scripted policy that is copied; the environment says how many mistakes its novice makes.':
    'Die programmierte Strategie, die nachgeahmt wird; die Umgebung legt fest, wie viele Fehler ihr Anfänger (novice) macht.',
  'strength of the penalty (lambda)': 'Stärke des Strafterms (lambda)',
  'Half of it weighs squared distances from the kept weights. Larger keeps earlier tasks better and learns later ones worse.':
    'Die Hälfte davon gewichtet quadrierte Abstände zu den behaltenen Gewichten. Größer: Frühere Aufgaben bleiben besser erhalten, spätere werden schlechter gelernt.',
  'samples of the Fisher information': 'Stichproben für die Fisher-Information',
  'States of the finished block, drawn from replay, over which squared gradients are averaged.':
    'Zustände des beendeten Blocks, aus dem Replay-Puffer gezogen, über die quadrierte Gradienten gemittelt werden.',
  'consolidate every': 'konsolidieren alle',
  'Environment steps after which the weights are kept. 0: where the environment ends a block of its sequence of tasks.':
    'Umgebungsschritte, nach denen die Gewichte behalten werden. 0: wo die Umgebung einen Block ihrer Aufgabenfolge beendet.',
  'share of older importance (gamma)': 'Anteil älterer Wichtigkeit (gamma)',
  'What is kept of the Fisher information of earlier blocks when a new one is added.':
    'Was von der Fisher-Information früherer Blöcke bleibt, wenn ein neuer hinzukommt.',
  'transitions kept': 'behaltene Übergänge',
  'A uniform sample of all transitions so far, beside the newest in the replay buffer.':
    'Eine gleichverteilte Stichprobe aller bisherigen Übergänge, neben den neuesten im Replay-Puffer.',
  'share of kept transitions': 'Anteil behaltener Übergänge',
  'Part of each minibatch that is drawn from the kept transitions; the rest comes from the replay buffer.':
    'Teil jedes Minibatches, der aus den behaltenen Übergängen gezogen wird; der Rest kommt aus dem Replay-Puffer.',
  'weight of cloning': 'Gewicht des Nachahmens',
  'Of the squared distance from the action values that the network gave when the transition was kept. 0: off.':
    'Des quadrierten Abstands zu den Aktionswerten, die das Netz gab, als der Übergang behalten wurde. 0: aus.',
  'strength of the penalty (lambda; 0: none)': 'Stärke des Strafterms (lambda; 0: keiner)',
  'transitions kept (0: none)': 'behaltene Übergänge (0: keine)',
  'dormant at or below (tau; 0: no resets)': 'Schwelle für ruhende Einheiten (tau; 0: kein Zurücksetzen)',
  'Where a task ends, hidden units whose mean activation is at most this part of the mean of their layer are started anew.':
    'Wo eine Aufgabe endet, werden verborgene Einheiten zurückgesetzt, deren mittlere Aktivierung höchstens diesen Anteil am Mittel ihrer Schicht erreicht.',
  'jump of the loss that ends a task (0: not looked for)': 'Sprung des Verlusts, der eine Aufgabe beendet (0: nicht gesucht)',
  'Above 0 a task ends where the loss of forty updates lies so far above that of the eight hundred before; borders of the environment and "consolidate every" then do not count.':
    'Über 0 endet eine Aufgabe, wo der Verlust von vierzig Aktualisierungen so weit über dem der achthundert davor liegt; Grenzen der Umgebung und „konsolidieren alle“ zählen dann nicht.',
  'share of free weights a task keeps': 'Anteil freier Gewichte, den eine Aufgabe behält',
  'Of the weights that no earlier task owns those of largest magnitude; the others are free for later tasks.':
    'Von den Gewichten, die keiner früheren Aufgabe gehören, die betragsmäßig größten; die anderen bleiben für spätere Aufgaben frei.',
  'share of a block after pruning': 'Anteil eines Blocks nach dem Pruning',
  'Part of the block, at its end, in which only the weights learn that the task keeps.':
    'Der letzte Teil des Blocks, in dem nur die Gewichte lernen, die die Aufgabe behält.',
  'One row less': 'Eine Zeile weniger',
  'One column less': 'Eine Spalte weniger',
  'One row more': 'Eine Zeile mehr',
  'One column more': 'Eine Spalte mehr',
  '{n} rows': '{n, plural, one {{n} Zeile} other {{n} Zeilen}}',
  '{n} columns': '{n, plural, one {{n} Spalte} other {{n} Spalten}}',
  'The agent cannot stand there.': 'Dort kann der Agent nicht stehen.',
  agent: 'Agent',
  Redo: 'Wiederherstellen',
  'Draw in a large window': 'In einem großen Fenster zeichnen',
  Clear: 'Leeren',
  Remove: 'Entfernen',
  'Edit this map': 'Diese Karte bearbeiten',
  'Draw the map': 'Die Karte zeichnen',
  'row {row}, column {column}: {what}': 'Zeile {row}, Spalte {column}: {what}',
  '{what} chosen': 'gewählt: {what}',
  'Tile to paint': 'Feldart zum Malen',
  Colour: 'Farbe',
  'agent: again turns it': 'Agent: Noch einmal drücken dreht ihn',
  'Nash equilibria of one round': 'Nash-Gleichgewichte einer Runde',
  'No Nash equilibrium of one round found': 'Kein Nash-Gleichgewicht einer Runde gefunden',
  'Nash equilibrium of one round': 'Nash-Gleichgewicht einer Runde',
  'and {n} more': '{n, plural, one {und {n} weiteres} other {und {n} weitere}}',
  'Some payoffs are tied, so there may be more than these.': 'Manche Auszahlungen sind gleich; es kann also weitere geben.',
  'any mix from ({from}) to ({to})': 'jede Mischung von ({from}) bis ({to})',
  ' against ': ' gegen ',
  'pays {mine}, {theirs}': 'bringt {mine} und {theirs}',
  'Best responses of both; they cross at the equilibria.': 'Beste Antworten beider; sie schneiden sich in den Gleichgewichten.',
  'its own payoffs': 'eigene Auszahlungen',
  'the same game from its side': 'dasselbe Spiel aus seiner Sicht',
  'the opposite (zero sum)': 'das Gegenteil (Nullsumme)',
  'the same (common interest)': 'dasselbe (gemeinsames Interesse)',
  'The column player gets': 'Der Spaltenspieler bekommt',
  'own payoffs': 'eigene Auszahlungen',
  'Edit in a large window': 'In einem großen Fenster bearbeiten',
  Payoffs: 'Auszahlungen',
  'Each payoff must be a number.': 'Jede Auszahlung muss eine Zahl sein.',
  'Payoffs. Rows are actions of the row player, columns those of the column player; each cell has first the payoff of the row player, then that of the column player.':
    'Auszahlungen. Zeilen sind Aktionen des Zeilenspielers, Spalten die des Spaltenspielers; in jedem Feld steht erst die Auszahlung des Zeilenspielers, dann die des Spaltenspielers.',
  equilibrium: 'Gleichgewicht',
  'best response': 'beste Antwort',
  'Row player: {action} against {other}': 'Zeilenspieler: {action} gegen {other}',
  'Column player: {action} against {other}': 'Spaltenspieler: {action} gegen {other}',
  ground: 'Boden',
  cliff: 'Klippe',
  goal: 'Ziel',
  start: 'Start',
  'There is no start on this map. Paint one.': 'Auf dieser Karte ist kein Start. Male einen.',
  'There is no goal on this map, so no episode ever ends.': 'Auf dieser Karte ist kein Ziel, deshalb endet keine Episode.',
  'The goal cannot be reached from the start. Open a way beside the cliff.':
    'Das Ziel ist vom Start aus nicht erreichbar. Öffne einen Weg neben der Klippe.',
  cooperate: 'kooperieren',
  defect: 'defektieren',
  left: 'links',
  right: 'rechts',
  stag: 'Hirsch',
  hare: 'Hase',
  dove: 'Taube',
  hawk: 'Falke',
  heads: 'Kopf',
  tails: 'Zahl',
  opera: 'Oper',
  football: 'Fußball',
  rock: 'Stein',
  paper: 'Papier',
  scissors: 'Schere',
  high: 'hoch',
  low: 'niedrig',
  trust: 'vertrauen',
  'play safe': 'auf Nummer sicher gehen',
  rod: 'Stange',
  floor: 'Boden',
  ice: 'Eis',
  hole: 'Loch',
  adversary: 'Gegner',
  landmark: 'Hindernis',
  'tokens written': 'geschriebene Token',
  'bars: what an arm pays, unknown to the player': 'Balken: was ein Hebel zahlt, dem Spieler unbekannt',
};
export default texts;
