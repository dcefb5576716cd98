"""How people begin and end emails: greetings, closing lines, names, and what programs and companies put below.

What says anything else is none of these, so that no line about orders is taken for a farewell.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence

GREETINGS = (
    "hi", "hello", "hey", "dear", "good morning", "good afternoon", "good evening", "greetings",
    "hallo", "liebe", "lieber", "guten morgen", "guten tag", "guten abend", "servus", "moin",
    "ola", "oi", "bom dia", "boa tarde", "boa noite", "caro", "cara", "prezado", "prezada",
    "hola", "buenos dias", "buenas", "querido", "querida", "estimado", "estimada",
    "czesc", "hej", "witam", "witaj", "dzien dobry", "dobry wieczor", "drogi", "droga",
    "bonjour", "bonsoir", "salut", "cher", "chere", "ciao", "buongiorno", "buonasera", "salve",
    "ahoj", "dobry den", "hejsa", "kaere", "beste", "dag", "hoi", "hejsan", "kara",
    "你好", "您好", "こんにちは", "안녕하세요",
)  # fmt: skip
"""How a line begins that greets, without accents."""
POLITE = (
    "thanks", "thank you", "thx", "cheers", "regards", "best", "best wishes", "best regards", "kind regards",
    "warm regards", "many thanks", "all the best", "yours", "bye", "see you", "take care", "have a nice",
    "have a good", "mit freundlichen", "freundliche grusse", "viele grusse", "viele gruesse", "liebe grusse",
    "liebe gruesse", "beste grusse", "schone grusse", "gruss", "grusse", "gruesse", "danke", "vielen dank", "lg",
    "mfg", "vg", "bis bald", "bis dann", "abraco", "abracos", "um abraco", "cumprimentos", "atenciosamente",
    "obrigado", "obrigada", "ate logo", "ate mais", "ate breve", "beijos", "saludos", "un saludo", "un abrazo",
    "abrazos", "gracias", "muchas gracias", "atentamente", "hasta luego", "pozdrawiam", "pozdrowienia", "dziekuje",
    "dzieki", "serdecznie", "z powazaniem", "do zobaczenia", "do uslyszenia", "cordialement", "bien a vous", "amities",
    "merci", "a bientot", "bonne journee", "bonne soiree", "saluti", "cordiali saluti", "grazie", "a presto",
    "s pozdravem", "diky", "dekuji", "zdravim", "med venlig", "venlig hilsen", "hilsen", "mvh", "mange tak",
    "met vriendelijke", "groet", "groeten", "groetjes", "bedankt", "dank je", "med vanlig", "vanliga", "halsningar",
    "tack", "tack sa mycket", "よろしく", "ありがとう", "감사합니다", "고맙습니다", "谢谢", "此致", "bests", "rgds",
    "br", "kr", "tks", "tx",
    "ty", "have fun", "att", "atte", "abs", "abcs", "abc", "sds", "bjs", "bj", "slds", "sdos", "cpts", "vlw", "valeu",
    "obg", "grato", "grata", "um grande abraco", "grande abraco", "forte abraco", "com os melhores",
    "os melhores cumprimentos", "melhores cumprimentos", "um beijo", "cordialmente", "cordiais", "bom dia",
    "boa tarde", "boa noite", "bom fim de semana", "boa semana", "ate amanha", "saludo", "un cordial saludo",
    "mil gracias", "besos", "un beso", "hasta pronto", "hasta manana", "nos vemos", "cuidate", "buen dia",
    "buen finde", "buen fin de semana", "pzdr", "pozdr", "pozdro", "pozdrowionka", "z pozdrowieniami",
    "serdeczne pozdrowienia", "lacze pozdrowienia", "laczac pozdrowienia", "z wyrazami szacunku", "z szacunkiem",
    "dziekuje bardzo", "wielkie dzieki", "dzieki wielkie", "milego dnia", "dobrego dnia", "milego wieczoru",
    "milego weekendu", "trzymaj sie", "na razie", "cdt", "cdlt", "bien cordialement", "bises", "gr",
)  # fmt: skip
"""How a line begins with which people end a letter, without accents."""
PROGRAMS = (
    "sent from", "sent with", "sent via", "sent by", "get outlook", "von meinem", "gesendet", "versendet",
    "enviado", "enviada", "mensagem enviada", "obter o outlook", "obtener outlook", "wyslane", "wyslano", "pobierz",
    "envoye", "telecharger outlook", "inviato", "odeslano", "sendt fra", "verzonden", "verstuurd", "skickat",
    "iphoneから", "나의 iphone", "내 iphone", "发自我的", "從我的", "从我的",
)  # fmt: skip
"""How a line begins that a phone or a provider puts under an email, without accents."""
COURTESIES = frozenset(word for word in POLITE if word.isascii()) - {
    "best", "yours", "have a nice", "have a good", "mit freundlichen", "med venlig", "met vriendelijke", "med vanlig",
    "vanliga", "com os melhores", "cordiais", "serdecznie", "br", "kr", "gr", "abc", "bj", "tag",
} | {
    "please", "pls", "plz", "por favor", "porfa", "prosze", "bitte", "svp", "per favore", "prosim",
}  # fmt: skip
"""What may stand behind an order on its line, without accents."""
DOUBTS = frozenset((
    "no", "not", "dont", "don't", "but", "only", "unless", "except", "if", "when", "instead", "rather", "wait",
    "never", "stop", "maybe", "perhaps", "until", "after", "before", "or", "undo", "nicht", "nein", "aber", "nur",
    "falls", "wenn", "doch", "erst", "oder", "nao", "mas", "so", "se", "apenas", "talvez", "espera", "espere",
    "quando", "ou", "ainda", "pero", "solo", "si", "salvo", "quizas", "cuando", "aun", "todavia", "nie", "ale",
    "tylko", "jesli", "jezeli", "gdy", "chyba", "moze", "czekaj", "zaczekaj", "lub", "albo", "jeszcze", "pas", "mais",
    "sauf", "seulement", "attends", "ps", "pd", "nb", "n.b", "p.s", "p.d",
))  # fmt: skip
"""Words with which a line says something about the orders above it, without accents."""
DISCLAIMERS = (
    "this email", "this e-mail", "this mail", "this message", "this communication", "this transmission",
    "the information", "the content", "confidential", "disclaimer", "privileged", "notice", "legal notice",
    "important", "please consider", "please think", "think before", "before printing", "if you are not",
    "if you have received", "any views", "privacy", "este mensaje", "este correo", "este e-mail", "este email",
    "la informacion", "el contenido", "aviso", "clausula", "antes de imprimir", "proteccion de datos",
    "de acuerdo con", "en cumplimiento", "le informamos", "si ha recibido", "esta mensagem", "esta comunicacao",
    "a informacao", "as informacoes", "o conteudo", "pense ", "protecao de dados", "se recebeu", "caso tenha recebido",
    "ta wiadomosc", "niniejsz", "wiadomosc ta", "tresc tej", "tresc niniejszej", "informacje zawarte", "zawartosc",
    "uwaga", "klauzula", "poufn", "zastrzezenie", "nota prawna", "prosze pomysl", "pomysl ", "zanim wydrukujesz",
    "jesli nie jest", "jezeli nie jest", "administratorem", "informujemy", "diese e-mail", "diese email", "diese mail",
    "diese nachricht", "der inhalt", "die in dieser", "vertraulich", "haftungsausschluss", "rechtlicher hinweis",
    "wichtiger hinweis", "bitte denken", "ce message", "ce courriel", "cet e-mail", "cet email", "les informations",
    "le contenu", "avis de", "avertissement", "pensez a", "avant d'imprimer", "questo messaggio", "questa e-mail",
    "le informazioni", "riservat", "prima di stampare", "dit bericht", "deze e-mail", "de informatie",
)  # fmt: skip
"""How begins what companies put under every email, without accents."""
OF_DISCLAIMERS = (
    "confiden", "privileged", "intended", "recipient", "addressee", "disclos", "unauthori", "printing", "environment",
    "liabil", "virus", "destinatari", "imprimi", "ambiente", "privilegiad", "proteccion de datos", "protecao de dados",
    "rgpd", "gdpr", "lopd", "rodo", "poufn", "adresat", "odbiorc", "drukow", "srodowisk", "danych osobowych",
    "vertraulich", "empfanger", "adressat", "ausdruck", "umwelt", "destinataire", "imprimer", "riservat", "stampare",
    "geadresseerde",
)  # fmt: skip
"""What one of them says, at least, without accents."""
FEW = 4
"""Words of a line with which somebody begins or ends a letter: more of them may say something."""
LONGEST = 120
"""Characters of a line that may greet or end a letter."""
NAME = 3
"""Words of a name below the orders."""
MOST_COURTESIES = 3
"""Courtesies and faces behind one order."""

_FACES = re.compile(
    r"(?:\s*(?:[:;=]['’]?-?[)\]DPp]+|<3|[☺😀-😊😉😋😌😍😎🙂🙃🤗🤓🤩👋👍🙏🎉🚂🚃🚄🚆❤♥✌][\ufe0f\U0001f3fb-\U0001f3ff]*)"
    r"|\s(?:[xX]D+|\^_?\^))+\s*$"
)
_ORNAMENT = re.compile(r"[-=_*~#.•·–—\s]*")
_NAME = re.compile(r"[^\W\d_][\w.'’ -]*")
_WORD = re.compile(r"[^\s,;:!?()\"“”„«»–—]+")


def plain_letters(text: str) -> str:
    """Small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("ł", "l").replace("ø", "o").replace("æ", "ae"))
    return unicodedata.normalize("NFC", "".join(sign for sign in apart if not unicodedata.combining(sign)))


def words_of(text: str) -> str:
    """Words to be compared: without accents, signs, and the difference of upper and lower case."""
    return " ".join(re.findall(r"\w+", plain_letters(text)))


def is_ornament(line: str) -> bool:
    """Whether a line says nothing: a rule, or a face."""
    return _ORNAMENT.fullmatch(_FACES.sub("", line)) is not None


def without_courtesies(line: str) -> str:
    """An order without what is said behind it on its line to whoever reads it: "issue 4 :-)", "issue 4 thanks"."""
    for _ in range(MOST_COURTESIES):
        bare = _FACES.sub("", line)
        words = list(re.finditer(r"\S+", bare))
        for count in range(min(FEW, len(words) - 1), 0, -1):
            start = words[-count].start()
            if words_of(bare[start:]) in COURTESIES:
                bare = bare[:start].rstrip(" ,.!–—")
                break
        if bare == line:
            break
        line = bare
    return line


def greets(lines: Sequence[str]) -> bool:
    """Whether lines above the orders are nothing, or one greeting."""
    return not lines or (len(lines) == 1 and _begins(lines[0], GREETINGS) and _is_short(lines[0]))


def ends_a_letter(lines: Sequence[str], names: Collection[str] = ()) -> bool:
    """Whether lines under the orders, blank ones among them, say nothing: a closing line or a name, with what people
    and programs put under these. ``names``: of the players, as :func:`words_of` has them.

    Below a blank line a closing line may hold a few words more. It holds no number, which could be an order, and a name
    has capitals where its letters have any.
    """
    below = ["" if is_ornament(line) else line.strip() for line in lines]
    written = [number for number, line in enumerate(below) if line]
    if not written:
        return True
    first, under = below[written[0]], below[written[0] + 1 :]
    if _is_farewell(first, names):
        return _signs(under, names)
    if below[0]:
        return False
    if _is_added(below[written[0] :]):
        return True
    if _begins(first, POLITE) and _is_short(first) and not re.search(r"\d", first):
        return _signs(under, names)
    return _is_name(first, names) and (not any(under) or (not under[0] and _is_added([*filter(None, under)])))


def without_greeting(text: str) -> str:
    lines = text.strip().splitlines()
    rest = "\n".join(lines[1:]).strip()
    return rest if rest and greets([lines[0].strip()]) else text


def without_programs(text: str) -> str:
    """A text without what a phone or a provider has put under it."""
    lines = text.splitlines()
    for number in range(len(lines) - 1):
        if not lines[number].strip() and lines[number + 1].strip() and _begins(lines[number + 1].strip(), PROGRAMS):
            return "\n".join(lines[:number])
    return text


def _begins(line: str, beginnings: tuple[str, ...]) -> bool:
    return len(line) <= LONGEST and bool(_beginning(line, beginnings))


def _beginning(line: str, beginnings: tuple[str, ...]) -> str:
    """The longest of these with which a line begins, whole words of it."""
    text = plain_letters(line).lstrip("*_ ")
    fitting = (
        word
        for word in beginnings
        if text.startswith(word) and (not text[len(word) : len(word) + 1].isalnum() or not word.isascii())
    )
    return max(fitting, key=len, default="")


def _is_short(line: str) -> bool:
    return len(line.split()) <= FEW and not _doubts(line)


def _doubts(line: str) -> bool:
    """Whether a line says "but", "not", "only" or the like: a name may begin so only with a capital, and not first."""
    words = _WORD.findall(line)
    return any(
        plain_letters(word).strip(".'’") in DOUBTS and (not number or word[0].islower())
        for number, word in enumerate(words)
    )


def _is_farewell(line: str, names: Collection[str]) -> bool:
    """Whether a line is a closing line and nothing else but a name."""
    bare = _FACES.sub("", line)
    if not _begins(bare, POLITE):
        return False
    said = _beginning(bare, POLITE)
    if not said.isascii():
        return words_of(bare) == words_of(said)
    rest = _WORD.findall(bare)[len(words_of(said).split()) :]
    return not rest or _is_name(" ".join(rest), names)


def _is_name(line: str, names: Collection[str]) -> bool:
    """A name as people write it: with capitals where its letters have any, or that of a player."""
    words = line.split()
    if words_of(line) in names:
        return True
    capital = bool(words) and not any(word[0].islower() for word in (words[0], words[-1]))
    return capital and len(words) <= NAME and _NAME.fullmatch(line) is not None and not _doubts(line)


def _is_added(lines: Sequence[str]) -> bool:
    """Whether a phone, a provider or a company has put these lines there, and not their writer."""
    text = plain_letters(" ".join(lines))
    return _begins(lines[0], PROGRAMS) or (
        text.lstrip("*_- ").startswith(DISCLAIMERS) and any(word in text for word in OF_DISCLAIMERS)
    )


def _signs(lines: Sequence[str], names: Collection[str]) -> bool:
    """Whether nothing is said in lines under a closing line: a name, a company, a number to call."""
    for number, line in enumerate(lines):
        if line and _is_added([line, *filter(None, lines[number + 1 :])]):
            return True
        if line and not _begins(line, POLITE) and words_of(line) not in names and _is_said(line):
            return False
    return True


def _is_said(line: str) -> bool:
    """Whether a line is more like a sentence than like a part of a signature."""
    words = line.split()
    small = sum(word[0].islower() and word.strip(".,;:!").isalpha() for word in words)
    short = len(words) <= NAME
    return _doubts(line) or line.endswith("?") or (small == len(words) > 1 if short else small * 2 > len(words))
