"""What the command line says to people, in English and French.

JSON, names of options and errors about input (which name fields of the data) are not
translated. A language is chosen once, before the commands are loaded: by ``--lang``, else
``TAROT_SIM_LANG``, else the locale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

LANGUAGES: Final = ("en", "fr")

#: Each message in English and French; braces are filled in by `text`.
CATALOGUE: Final[dict[str, tuple[str, str]]] = {
    "group.help": (
        (
            "French Tarot, the 78-card game: rules, scores, solver, chances.\n\n"
            "Cards are written suit first: PR C10 K4 TV for the suits Pique, Coeur, Carreau "
            "(K) and Trefle, A21 for the trumps, EX for the Excuse. FILE may be - for standard "
            "input."
        ),
        (
            "Le tarot à 78 cartes : règles, marque, solveur, chances.\n\n"
            "Une carte s'écrit couleur d'abord : PR C10 K4 TV pour Pique, Cœur, Carreau (K) et "
            "Trèfle, A21 pour les atouts, EX pour l'Excuse. FICHIER peut être - pour l'entrée "
            "standard."
        ),
    ),
    "group.commands": ("Commands", "Commandes"),
    "option.json": (
        "Print exactly one JSON document.",
        "Écrire un seul document JSON.",
    ),
    "option.jsonl": (
        "FILE is JSON Lines: answer each line with one JSON document, in order.",
        "FICHIER est en JSON Lines : répondre à chaque ligne par un document JSON.",
    ),
    "option.quiet": (
        "Say nothing but the answer.",
        "Ne rien dire d'autre que la réponse.",
    ),
    "option.no_color": (
        "No colours and no suit symbols (also: NO_COLOR).",
        "Ni couleurs ni symboles (aussi : NO_COLOR).",
    ),
    "option.lang": ("Language of the output.", "Langue de l'affichage."),
    "option.seed": (
        "Seed of everything that is random.",
        "Graine de tout ce qui est tiré au sort.",
    ),
    "option.jobs": (
        "Jobs at a time; -1 for all cores.",
        "Tâches à la fois ; -1 : tous les cœurs.",
    ),
    "option.players": ("Number of players.", "Nombre de joueurs."),
    "option.rules": (
        "Preset of the rules; by default what the record says.",
        "Règles ; par défaut celles de la donne.",
    ),
    "option.version": ("Print the version.", "Afficher la version."),
    "replay.help": (
        (
            "Play a record through the rules and settle it.\n\n"
            "FILE holds one deal: a record, TarotClub's JSON or tagged text. A deal that is cut "
            "short gives the tricks and points so far."
        ),
        (
            "Rejouer une donne selon les règles et la compter.\n\n"
            "FICHIER contient une donne : JSON de tarot-sim ou de TarotClub, ou texte à "
            "étiquettes. Une donne inachevée donne les plis et les points jusque-là."
        ),
    ),
    "replay.contract": (
        "{contract}, taker: seat {taker}",
        "{contract}, preneur : place {taker}",
    ),
    "replay.no_contract": (
        "no contract, taker: seat {taker}",
        "sans contrat, preneur : place {taker}",
    ),
    "replay.called": (
        ", called {card}, partner: seat {seat}",
        ", appel {card}, associé : place {seat}",
    ),
    "replay.alone": (", called {card}, alone", ", appel {card}, seul"),
    "replay.trick": ("trick", "pli"),
    "replay.leader": ("leader", "entame"),
    "replay.cards": ("cards in order of play", "cartes dans l'ordre"),
    "replay.winner": ("winner", "gagne"),
    "replay.points": (
        "attack {attack}, defence {defence}",
        "attaque {attack}, défense {defence}",
    ),
    "replay.open": (
        "the deal is not played out: these are the points so far",
        "la donne n'est pas finie : ce sont les points jusque-là",
    ),
    "replay.made": (
        "bouts: {bouts}, needed: {target}, made by {difference}",
        "bouts : {bouts}, il faut {target}, fait de {difference}",
    ),
    "replay.failed": (
        "bouts: {bouts}, needed: {target}, down {difference}",
        "bouts : {bouts}, il faut {target}, chuté de {difference}",
    ),
    "replay.petit": ("Petit au bout: {camp}", "Petit au bout : {camp}"),
    "replay.chelem": ("chelem: {chelem}", "chelem : {chelem}"),
    "replay.poignee": (
        "poignee: seat {seat}, {level}",
        "poignée : place {seat}, {level}",
    ),
    "replay.seat": ("seat", "place"),
    "replay.score": ("score", "marque"),
    "camp.attack": ("attack", "attaque"),
    "camp.defence": ("defence", "défense"),
    "chelem.made": ("made", "fait"),
    "chelem.announced_made": ("announced and made", "annoncé et fait"),
    "chelem.announced_failed": ("announced, not made", "annoncé, non fait"),
    "chelem.by_defence": ("by the defence", "de la défense"),
    "chelem.announced_by_defence": (
        "announced, made by the defence",
        "annoncé, fait par la défense",
    ),
    "legal.help": (
        "The legal cards of the player to move in FILE.",
        "Les cartes jouables du joueur dont c'est le tour dans FICHIER.",
    ),
    "legal.player": ("to move: seat {seat}", "à jouer : place {seat}"),
    "legal.over": ("every card has been played", "toutes les cartes sont jouées"),
    "legal.trick": ("on the table: {cards}", "sur le tapis : {cards}"),
    "legal.hand": ("hand:  {cards}", "main :     {cards}"),
    "legal.legal": ("legal: {cards}", "jouables : {cards}"),
    "score.help": (
        "The score of a result, without its cards.",
        "La marque d'un résultat, sans les cartes.",
    ),
    "score.points": (
        "Card points of the attack, such as 40.5.",
        "Points de l'attaque, par ex. 40,5.",
    ),
    "score.bouts": ("Bouts in the attack's pile.", "Bouts dans les plis de l'attaque."),
    "score.petit": ("Who won the Petit in the last trick.", "Qui a le Petit au bout."),
    "score.poignee": (
        "A poignée shown, by anybody; repeatable.",
        "Une poignée montrée ; répétable.",
    ),
    "score.chelem": ("What became of a chelem: {names}.", "Ce qu'il en est d'un chelem : {names}."),
    "score.alone": (
        "Five players: the taker is alone.",
        "À cinq : le preneur est seul.",
    ),
    "score.made": (
        "needed: {target}, made by {difference}",
        "il faut {target}, fait de {difference}",
    ),
    "score.failed": (
        "needed: {target}, down {difference}",
        "il faut {target}, chuté de {difference}",
    ),
    "score.taker": ("taker {score}", "preneur {score}"),
    "score.partner": ("partner {score}", "associé {score}"),
    "score.defender": ("each defender {score}", "chaque défenseur {score}"),
    "perft.help": (
        "The number of legal sequences of cards from the position in FILE.",
        "Le nombre de suites de cartes jouables depuis la position de FICHIER.",
    ),
    "perft.depth": ("Cards in a sequence.", "Cartes dans une suite."),
    "perft.nodes": (
        "sequences of {depth} cards: {nodes}",
        "suites de {depth} cartes : {nodes}",
    ),
    "deal.help": (
        (
            "Random deals as JSON Lines, one record a line.\n\n"
            "A condition asks what the hands as dealt hold: trumps (numbered), bouts, points, "
            "rois, dames, honours (Roi to Valet), voids, singletons, longest (length of the "
            "longest suit), P C K T (length of that suit), petit, vingtetun, excuse, chavey "
            "(Chavey's count), or a card such as PR (1 if held). That is seat 0's hand; "
            "2.trumps asks of seat 2, dog.points of the dog. Example: 'bouts>=2 and (trumps>=7 "
            "or dog.rois==1)'; + - < <= == != > not may be used as well."
        ),
        (
            "Des donnes au hasard en JSON Lines, une par ligne.\n\n"
            "Une condition porte sur les jeux distribués : trumps (atouts numérotés), bouts, "
            "points, rois, dames, honours (du Roi au Valet), voids (couleurs absentes), "
            "singletons, longest (longueur de la plus longue couleur), P C K T (longueur de "
            "cette couleur), petit, vingtetun, excuse, chavey (décompte de Chavey), ou une "
            "carte comme PR (1 si elle y est). C'est la main de la place 0 ; 2.trumps porte sur "
            "la place 2, dog.points sur le chien. Exemple : 'bouts>=2 and (trumps>=7 or "
            "dog.rois==1)' ; + - < <= == != > not sont permis aussi."
        ),
    ),
    "deal.number": ("Number of deals.", "Nombre de donnes."),
    "deal.condition": (
        "Deal again until this holds, such as 'bouts>=2'; repeatable.",
        "Redistribuer jusqu'à ce que ceci soit vrai, par ex. 'bouts>=2' ; répétable.",
    ),
    "deal.tries": (
        "With a condition: deals tried at most for one that meets it.",
        "Avec une condition : donnes essayées au plus pour en trouver une.",
    ),
    "deal.met": (
        "{number} of {drawn} deals meet the condition",
        "{number} donnes sur {drawn} remplissent la condition",
    ),
    "deal.petit_sec": (
        "Whether a deal with a Petit sec is dealt again.",
        "Si une donne avec un Petit sec est redistribuée.",
    ),
    "deal.physical": (
        "Deal as at home: collected tricks, badly shuffled, cut, dealt by packets.",
        "Donner comme à la maison : plis ramassés, mal battus, coupés, par paquets.",
    ),
    "deal.riffles": (
        "Riffle shuffles of a physical deal.",
        "Mélanges d'une donne physique.",
    ),
    "deal.seed": ("seed {seed}", "graine {seed}"),
    "convert.help": (
        "FILE in another format: record (JSON Lines), tarotclub, tagged.",
        "FICHIER dans un autre format : record (JSON Lines), tarotclub, tagged.",
    ),
    "convert.to": ("Format to write.", "Format à écrire."),
    "convert.from": (
        "Format of FILE; by default recognised.",
        "Format de FICHIER ; sinon reconnu.",
    ),
    "convert.lost": (
        "deal {number}: {format} has no place for {fields}",
        "donne {number} : {format} n'a pas de place pour {fields}",
    ),
    "solve.help": (
        (
            "What a position is worth double dummy: all hands in view, both camps play best.\n\n"
            "FILE holds one deal or ending. The value is the attack's margin (points minus "
            "what its bouts need), its points, or the taker's score."
        ),
        (
            "Ce que vaut une position à cartes découvertes, les deux camps jouant au mieux.\n\n"
            "FICHIER contient une donne ou une fin. La valeur est l'écart au contrat de "
            "l'attaque, ses points, ou la marque du preneur."
        ),
    ),
    "solve.objective": ("What the attack plays for.", "Ce que vise l'attaque."),
    "solve.make": (
        "Only whether the contract is made.",
        "Seulement si le contrat passe.",
    ),
    "solve.all": ("Value every legal card.", "Évaluer chaque carte jouable."),
    "solve.line_option": ("Show a best line of play.", "Montrer une meilleure suite."),
    "solve.chelem_option": (
        "Also whether either camp can win every trick.",
        "Dire aussi si l'un des camps peut faire tous les plis.",
    ),
    "solve.time": (
        "Seconds at most; then sound bounds are given.",
        "Secondes au plus ; ensuite des bornes sûres.",
    ),
    "solve.nodes": (
        "Positions at most; then sound bounds are given.",
        "Positions au plus ; ensuite des bornes sûres.",
    ),
    "solve.points": ("attack: {value} points", "attaque : {value} points"),
    "solve.points_open": (
        "attack: {low} to {high} points (open)",
        "attaque : {low} à {high} points (ouvert)",
    ),
    "solve.margin": ("margin: {value} points", "écart au contrat : {value} points"),
    "solve.margin_open": (
        "margin: {low} to {high} points (open)",
        "écart au contrat : {low} à {high} points (ouvert)",
    ),
    "solve.score": ("taker's score: {value}", "marque du preneur : {value}"),
    "solve.score_open": (
        "taker's score: {low} to {high} (open)",
        "marque du preneur : {low} à {high} (ouverte)",
    ),
    "solve.made": ("the contract is made", "le contrat passe"),
    "solve.fails": ("the contract fails", "le contrat chute"),
    "solve.open": (
        "made or not: open within this budget",
        "contrat : indécis dans ce budget",
    ),
    "solve.chelem_attack": (
        "chelem of the attack: {answer}",
        "chelem de l'attaque : {answer}",
    ),
    "solve.chelem_defence": (
        "chelem of the defence: {answer}",
        "chelem de la défense : {answer}",
    ),
    "solve.possible": ("possible", "possible"),
    "solve.impossible": ("impossible", "impossible"),
    "solve.undecided": ("open within this budget", "indécis dans ce budget"),
    "solve.best": ("best card: {card}", "meilleure carte : {card}"),
    "solve.card": ("card", "carte"),
    "solve.value": ("value", "valeur"),
    "solve.line": ("best line: {cards}", "meilleure suite : {cards}"),
    "solve.effort": ("{nodes} nodes, {seconds} s", "{nodes} nœuds, {seconds} s"),
    "chances.help": (
        (
            "Success and expected score of every contract from a hand as dealt.\n\n"
            "Worlds that the hand allows are dealt, the écart is made from hand and dog alone, "
            "and each deal is judged double dummy: everybody plays as if all cards were seen. "
            "Scores are the taker's."
        ),
        (
            "Réussite et marque moyenne de chaque contrat avec une main.\n\n"
            "Des mondes possibles sont tirés, l'écart se fait au vu de la main et du chien "
            "seuls, et chaque donne est jugée à cartes découvertes. Les marques sont celles "
            "du preneur."
        ),
    ),
    "chances.worlds": (
        "Worlds judged; by default as many as the precision takes.",
        "Mondes jugés ; par défaut autant que la précision en demande.",
    ),
    "chances.precision": (
        "Stop when the sampling leaves every chance within ± this; 0.02 by default.",
        "Finir quand le tirage laisse chaque chance à ± ceci ; 0.02 par défaut.",
    ),
    "chances.time": (
        "Stop after so many seconds; from 30 on worlds are searched exactly too.",
        "Finir après tant de secondes ; dès 30, des mondes sont aussi résolus exactement.",
    ),
    "chances.method": (
        "How much search a world gets; by default what precision and time call for.",
        "Recherche par monde ; par défaut selon la précision et le temps.",
    ),
    "chances.dealer": (
        "Dealer's seat, you being 0 and your right-hand neighbour 1; by default all in turn.",
        "Place du donneur, vous étant 0 et le voisin de droite 1 ; sinon chacun son tour.",
    ),
    "chances.auction": (
        "Bids so far, from the dealer's right: pass,prise,…; you speak next.",
        "Enchères faites, depuis la droite du donneur : pass,prise,… ; à vous de parler.",
    ),
    "chances.plot": (
        "Draw the distribution of points and the convergence into a PNG or SVG file.",
        "Dessiner la répartition des points et la convergence dans un fichier PNG ou SVG.",
    ),
    "chances.call": (
        "Five players: card to call; by default the best one.",
        "À cinq : carte appelée ; par défaut la meilleure.",
    ),
    "chances.called": ("calling {card}", "appel : {card}"),
    "chances.alone": ("calling {card}: alone", "appel : {card}, seul"),
    "chances.contract": ("contract", "contrat"),
    "chances.made": ("made", "réussi"),
    "chances.interval": ("95 % interval", "intervalle à 95 %"),
    "chances.mean": ("score", "marque"),
    "chances.error": ("error", "erreur"),
    "chances.range": ("9 in 10", "9 fois sur 10"),
    "chances.points": ("points", "points"),
    "chances.pass": (
        "Pass: no bid is expected to win more.",
        "Passe : aucune enchère ne gagne plus en moyenne.",
    ),
    "chances.a_pass": ("pass", "passe"),
    "chances.pass_score": (
        "A pass is worth {score} ± {error} after these bids.",
        "Après ces enchères, passer vaut {score} ± {error}.",
    ),
    "chances.bid": (
        "Bid: {contract} ({score} on average; {gain} ± {error} above {second}).",
        "Enchère : {contract} ({score} en moyenne ; {gain} ± {error} de mieux que {second}).",
    ),
    "chances.camps": (
        "{contract}: the partner wins {partner}, each defender {defender}.",
        "{contract} : le partenaire marque {partner}, chaque défenseur {defender}.",
    ),
    "chances.holding": (
        "Held: {trumps} trumps, {bouts} of the bouts.",
        "En main : {trumps} atouts, dont {bouts} bout(s).",
    ),
    "chances.chavey": (
        "Chavey's count: {count}, which bids {bid}.",
        "Décompte de Chavey : {count}, soit {bid}.",
    ),
    "chances.hangs_on": ("A Garde hangs on:", "Une Garde tient à ceci :"),
    "chances.split": (
        "{what} ({share} %): {made} % made, else {otherwise} %",
        "{what} ({share} %) : {made} % de réussite, sinon {otherwise} %",
    ),
    "reason.dog_bout": ("a bout in the dog", "un bout au chien"),
    "reason.dog_trumps": (
        "trumps in the dog: {least} or more",
        "atouts au chien : {least} ou plus",
    ),
    "reason.dog_roi": ("a Roi in the dog", "un Roi au chien"),
    "reason.long_trumps": (
        "a defender with {least} trumps or more",
        "un défenseur avec {least} atouts ou plus",
    ),
    "reason.roi_ruffed": (
        "Rois that a defender can ruff at once: {least} or more",
        "Rois coupés d'entrée : {least} ou plus",
    ),
    "reason.petit_alone": (
        "a defender's Petit with at most two trumps",
        "Petit adverse avec deux atouts au plus",
    ),
    "chances.dog_helps": (
        "The dog is better than average in {share} % of the deals.",
        "Le chien est meilleur que la moyenne dans {share} % des donnes.",
    ),
    "which_dog.best": ("best", "au mieux"),
    "which_dog.worst": ("worst", "au pire"),
    "chances.dog": (
        "  {which}: {brings} ({share} %): {made} % made",
        "  {which} : {brings} ({share} %) : faite à {made} %",
    ),
    "dog_trumps.0": ("no trump", "aucun atout"),
    "dog_trumps.1": ("one trump", "un atout"),
    "dog_trumps.2": ("two trumps", "deux atouts"),
    "dog_trumps.3": ("three trumps or more", "3 atouts ou plus"),
    "dog_bouts.0": ("no bout", "aucun bout"),
    "dog_bouts.1": ("a bout or more", "1 bout ou plus"),
    "dog_rois.0": ("no Roi", "aucun Roi"),
    "dog_rois.1": ("a Roi or more", "1 Roi ou plus"),
    "stopped.precision": ("sampled precisely enough", "tirage assez précis"),
    "stopped.worlds": ("all worlds asked for", "tous les mondes voulus"),
    "stopped.time": ("time is up", "temps écoulé"),
    "chances.model": (
        ("{worlds} of {forecasts} worlds judged, double dummy, {seconds} s, {stopped}"),
        "{worlds} mondes jugés sur {forecasts}, cartes sur table, {seconds} s, {stopped}",
    ),
    "chances.progress": ("dealing worlds", "tirage des mondes"),
    "discard.help": (
        (
            "Rank écarts for a Garde, given hand and dog.\n\n"
            "Candidates are judged on the same worlds, double dummy; the weaker ones are left "
            "out round by round, the last ones judged on fresh worlds. Scores are the taker's; "
            "how far a candidate is behind the best is measured on the same worlds.\n\n"
            "Of cards that take the same tricks the lowest go."
        ),
        (
            "Classer les écarts pour une Garde, main et chien connus.\n\n"
            "Les candidats sont jugés sur les mêmes mondes, à cartes découvertes ; les plus "
            "faibles sont éliminés de manche en manche, les derniers jugés sur des mondes "
            "neufs. Les marques sont celles du preneur ; le retard sur le meilleur est mesuré "
            "sur les mêmes mondes.\n\n"
            "De cartes qui font les mêmes levées partent les plus basses."
        ),
    ),
    "discard.worlds": (
        "Worlds for the last écarts; 300 by default.",
        "Mondes pour les derniers écarts ; 300 par défaut.",
    ),
    "discard.called": (
        "Five players: the card that was called.",
        "À cinq : la carte appelée.",
    ),
    "discard.discard": ("écart", "écart"),
    "discard.worlds_judged": ("worlds", "mondes"),
    "discard.best": ("Discard {cards}.", "Écarter {cards}."),
    "call.help": (
        (
            "Rank the cards that may be called at five players.\n\n"
            "Each call is judged on the same worlds, a Garde, double dummy. Scores are the "
            "taker's."
        ),
        (
            "Classer les cartes à appeler, à cinq joueurs.\n\n"
            "Chaque appel est jugé sur les mêmes mondes, pour une Garde, à cartes découvertes. "
            "Les marques sont celles du preneur."
        ),
    ),
    "call.worlds": (
        "Worlds that every call is judged on; 300 by default.",
        "Mondes sur lesquels chaque appel est jugé ; 300 par défaut.",
    ),
    "call.card": ("call", "appel"),
    "call.best": ("Call {card}.", "Appeler {card}."),
    "choices.interval": ("95 % interval", "à 95 %"),
    "choices.behind": ("behind", "retard"),
    "choices.model": (
        "double dummy (everybody sees all cards), {seconds} s",
        "à cartes découvertes, {seconds} s",
    ),
    "bench.help": (
        "The solver's node signature and the speeds of this machine, one thread.",
        "La signature du solveur en nœuds et les vitesses de la machine, un fil.",
    ),
    "bench.nodes": ("signature: {nodes} nodes", "signature : {nodes} nœuds"),
    "bench.playout": (
        "random play-outs, {players} players: {ns} ns a card",
        "parties au hasard à {players} joueurs : {ns} ns la carte",
    ),
    "bench.policy": ("policy: {rate} deals/s", "jeu par règles : {rate} donnes/s"),
    "bench.solve": (
        "solver, {cards} cards: make/fail {make} ms, exact margin {value} ms",
        "solveur, {cards} cartes : passe ou chute {make} ms, écart exact {value} ms",
    ),
}

_language = LANGUAGES[0]


def use(language: str) -> None:
    """Let `text` speak `language` from now on."""
    global _language
    _language = language


def language() -> str:
    """Return the language in use."""
    return _language


def text(key: str, **values: object) -> str:
    """Return the message `key` in the language in use, its braces filled in."""
    return CATALOGUE[key][LANGUAGES.index(_language)].format(**values)


def preferred(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language that arguments and environment ask for.

    The help is made before options are parsed, so the arguments are searched here; a
    language that is not known is left for the option itself to refuse.

    Examples
    --------
    >>> preferred(["--lang=fr"], {}), preferred([], {"LANG": "fr_FR.UTF-8"}), preferred([], {})
    ('fr', 'fr', 'en')
    """
    for place, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--lang":
            value = value if equals else "".join(arguments[place + 1 : place + 2])
            if value in LANGUAGES:
                return value
    for variable in ("TAROT_SIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(variable):
            return "fr" if environment[variable].lower().startswith("fr") else "en"
    return LANGUAGES[0]
