"""Function words of the languages that the analyser tells apart; they carry grammar, not content."""

from __future__ import annotations

_LISTS = {
    "en": """a about above after again against all also although am among an and any are aren as at be because been
        before being below between both but by can cannot could couldn did didn do does doesn doing don down during
        each either else ever every few for from further had hadn has hasn have haven having he her here hers herself
        him himself his how however i if in into is isn it its itself just let may me might more most must my myself
        neither no nor not of off on once only or other ought our ours ourselves out over own per please rather same
        shall shan she should shouldn since so some such than that the their theirs them themselves then there these
        they this those though through thus to too under until unless up upon us very via was wasn we were weren what
        whatever when where whether which while who whom whose why will with within without won would wouldn yet you
        your yours yourself yourselves""",
    "de": """aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist
        da damit dann das dass dein deine dem den denn der des dessen die dies diese diesem diesen dieser dieses doch
        dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen gewesen hab habe haben hat hatte
        hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden
        jeder jedes jetzt kann kein keine keinem keinen keiner können könnte mein meine mich mir mit muss musste nach
        nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll
        sollte sondern sonst über um und uns unser unter viel vom von vor war waren was weg weil weiter welche welchem
        welchen welcher welches wenn wer werde werden wie wieder will wir wird wirst wo wofür wurde wurden während würde
        würden zu zum zur zwischen""",
    "fr": """ai ainsi alors au aucun aucune aura aurait aussi autre autres aux avait avant avec avoir bien car ce ceci
        cela celle celles celui ces cet cette ceux chaque chez comme comment dans de depuis des dont du elle elles en
        encore entre es est et étaient était étant été être eu eux fait font hors il ils je jusque la laquelle le
        lequel les lesquels leur leurs lors lui ma mais me même mes moi moins mon ne ni nos notre nous on ont ou où par
        parce pas pendant peu peut plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se
        selon sera serait ses si son sont sous sur ta tant te tes toi ton tous tout toute toutes très tu un une vers
        voici vos votre vous à y""",
    "es": """a al algo algunas algunos ante antes aquel aquella así aunque cada como cómo con contra cual cuál cuales
        cuáles cuando cuándo cuánto cuántos de del desde donde dónde durante e el él ella ellas ellos en entre era eran
        eres es esa esas ese eso esos está están este esta estas esto estos estaba fue fueron ha había han has hasta hay
        he la las le les lo los más me mi mis mucho muy nada ni no nos nosotros nuestra nuestro o os otra otro para
        pero poco por porque pues qué que quien quién quienes se sea según ser si sí sido sin sobre son su sus también
        tan tanto te tiene tienen toda todo todos tu tus un una unas uno unos y ya yo""",
    "it": """a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci come con contro cosa così cui da dagli
        dai dal dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove dov e è ed era erano essere
        fra fu gli ha hanno ho i il in io la le lei li lo loro lui ma me mentre mi mia mio molto ne negli nei nel nell
        nella nelle nello no noi non nostro o ogni per perché però più poi prima qual quale quali quando quanta quanto
        quella quelle quelli quello questa queste questi questo qui se sei sempre senza si sia sono sopra sotto stata
        stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutta tutti tutto un una uno vi voi""",
    "pt": """a ao aos aquela aquele aquilo as até com como da das de dela dele depois do dos e é ela elas ele eles em
        entre era eram essa esse esta está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito
        na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque porquê qual
        quais quando quanto quantos que quem são se sem ser seu seus só sobre sua suas também te tem têm tinha um uma
        umas uns você""",
    "nl": """aan achter al alle als altijd ander bij daar dan dat de deze die dit doch doen door dus een en er ge geen
        geweest haar had hadden heb hebben heeft hem het hier hij hoe hoeveel hun iemand iets ik in is ja je kan kon
        kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te
        tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat welke werd werden wezen wie
        wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou zouden""",
    "sv": """alla allt att av blev bli blir de dem den denna deras dess det detta dig din ditt du där då efter ej eller
        en ett från för ha hade han hans har hon hos hur här i icke ingen inom inte jag ju kan kunde man med mellan men
        mig min mitt mot mycket ni nu när någon något några och om oss på samma sedan sig sin sitt ska skulle som så
        till under upp ut utan vad var vara varför vem vi vid vilka vilken vilket är över""",
    "ru": """а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее
        если есть еще же за здесь и из или им их к как какая какие какой когда кто ли либо мне может мы на над надо нас
        не него нет ни них но ну о об однако он она они оно от по под при с сколько со так также такой там те тем то
        того тоже только том ты у уже чего чей чем что чтобы эта эти это этого этой этом этот я""",
}

STOP_WORDS_BY_LANGUAGE: dict[str, frozenset[str]] = {
    language: frozenset(words.split()) for language, words in _LISTS.items()
}
