"""Words of business and daily life in English, German, French and Spanish, by what they mean."""

# ruff: noqa: E501 - one entry of a table on one line

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from .words import STOP_WORDS, stem, stem_in

LANGUAGES = ("de", "fr", "es")
"""The languages of the columns behind the English one."""

# One meaning a line: English | German | French | Spanish.  Forms that a stemmer does not bring together stand beside
# each other; `_` joins the words of a phrase.
_CONCEPTS = """
rent rental | Miete Mietzins Pacht | loyer | alquiler renta arriendo
lease tenancy | Mietvertrag Pachtvertrag | bail | arrendamiento contrato_de_alquiler
landlord lessor | Vermieter Vermieterin | bailleur propriétaire | arrendador casero
tenant lessee | Mieter Mieterin | locataire | inquilino arrendatario
flat apartment | Wohnung | appartement logement | piso apartamento vivienda
studio | Studio Atelier | studio atelier | estudio
house | Haus | maison | casa
building | Gebäude Bau | bâtiment immeuble | edificio
room | Zimmer Raum | chambre pièce salle | habitación sala cuarto
kitchen | Küche | cuisine | cocina
roof | Dach | toit toiture | tejado techo
door | Tür | porte | puerta
garden | Garten | jardin | jardín
land plot | Grundstück | terrain | terreno parcela
warehouse | Lagerhalle Lagerhaus | entrepôt | almacén
office | Büro | bureau | oficina
factory plant works | Werk Fabrik | usine fabrique | fábrica planta
site location | Standort Ort | site lieu | sitio lugar
parking | Parkplatz Stellplatz | parking stationnement | aparcamiento
deposit security | Kaution Anzahlung | caution acompte dépôt | fianza depósito
price | Preis | prix | precio
cost costs | Kosten kosten kostet kostete gekostet | coût coûter coûte coûtent coûta coûté coûtait | costo coste costar cuesta cuestan costó costaron
fee charge | Gebühr Entgelt Honorar | frais redevance honoraires | tarifa cuota tasa honorarios
discount rebate | Rabatt Nachlass | remise rabais | descuento
invoice bill | Rechnung | facture | factura
payment pay paid | Zahlung zahlen zahlt zahlte gezahlt bezahlt | paiement payer paie payé versé | pago pagar paga pagó pagado
salary wage | Lohn Monatsgehalt Jahresgehalt | salaire | salario sueldo
tax | Steuer | impôt taxe | impuesto
interest | Zins Zinsen | intérêt | interés intereses
loan credit | Darlehen Kredit | prêt crédit emprunt | préstamo crédito
debt | Schulden Verschuldung Schuld | dette endettement | deuda endeudamiento
net | Netto | net nette | neto neta
gross | Brutto | brut brute | bruto bruta
revenue turnover sales | Umsatz Erlös Erlöse Umsatzerlöse | chiffre_d'affaires recettes revenu revenus ventes | ingresos facturación ventas volumen_de_negocios
profit earnings | Gewinn | bénéfice profit | beneficio ganancia
loss | Verlust | perte pertes | pérdida pérdidas
margin | Marge | marge | margen
dividend | Dividende | dividende | dividendo
share stock | Aktie | action | acción acciones
proportion percentage share | Anteil | part proportion pourcentage | proporción porcentaje parte
shareholder | Aktionär Aktionäre | actionnaire | accionista
board | Vorstand Verwaltungsrat Aufsichtsrat | conseil_d'administration | consejo_de_administración
budget | Budget Haushalt | budget | presupuesto
investment invest | Investition investiert | investissement investi | inversión invertido
capital | Kapital | capital | capital
bond | Anleihe | obligation emprunt_obligataire | bono
bank | Bank | banque | banco
account | Konto | compte | cuenta
insurance | Versicherung | assurance | seguro
damage | Schaden Schäden beschädigt | dommage dégât endommagé | daño dañado
contract agreement | Vertrag Vereinbarung | contrat accord | contrato acuerdo
offer quote | Angebot | offre devis | oferta presupuesto
order | Bestellung Auftrag bestellt | commande commandé | pedido encargo
delivery deliver delivered | Lieferung geliefert liefern | livraison livré livrée livrer | entrega entregado entregar
supplier | Lieferant Lieferanten | fournisseur | proveedor
customer client | Kunde Kunden | client clientèle | cliente
subscriber | Abonnent Abonnenten | abonné abonnés | abonado suscriptor
company firm | Unternehmen Firma Gesellschaft | entreprise société | empresa sociedad compañía
group | Konzern Gruppe | groupe | grupo
subsidiary | Tochtergesellschaft Tochterunternehmen | filiale | filial
acquisition acquire acquired takeover | Übernahme übernommen erworben Erwerb Kauf | acquisition rachat acquis racheté | adquisición adquirió adquirido compra
merger | Fusion Zusammenschluss | fusion | fusión
competitor | Wettbewerber Konkurrent | concurrent | competidor
market | Markt | marché | mercado
product | Produkt Erzeugnis | produit | producto
production produce produced | Produktion Herstellung hergestellt produziert | production produit fabriqué | producción producido fabricado
service | Dienst Dienstleistung Service | service | servicio
maintenance servicing | Wartung Instandhaltung gewartet | entretien maintenance | mantenimiento
repair repaired | Reparatur repariert | réparation réparé réparée | reparación reparado reparada
install installed installation | Einbau eingebaut installiert Installation montiert | installation installé installée | instalación instalado instalada
replace replaced replacement | ersetzt Ersatz ausgetauscht Austausch | remplacement remplacé remplacée | sustitución sustituido reemplazado
renew renewed renewal renovate | erneuert Erneuerung verlängert Verlängerung | renouvellement renouvelé rénové | renovación renovado
build built construction | Bau gebaut errichtet | construction construit | construcción construido
system plant installation | Anlage System | installation système | sistema instalación
device equipment | Gerät Ausrüstung | appareil équipement | aparato equipo dispositivo
machine | Maschine | machine | máquina
pump | Pumpe | pompe | bomba
wheel | Rad | roue | rueda
engine motor | Motor | moteur | motor
battery | Batterie Akku | batterie pile | batería
cell | Zelle Zellen | cellule | celda célula
sensor | Sensor Fühler | capteur | sensor
heating | Heizung | chauffage | calefacción
electricity power | Strom Elektrizität | électricité courant | electricidad
energy | Energie | énergie | energía
consumption consume use | Verbrauch verbraucht | consommation consommé | consumo consumido
fuel | Kraftstoff Brennstoff | carburant combustible | combustible
water | Wasser | eau | agua
gas | Gas | gaz | gas
air | Luft | air | aire
wind | Wind | vent | viento
rain rainfall precipitation | Regen Niederschlag Niederschläge | pluie précipitations | lluvia precipitación precipitaciones
snow | Schnee | neige | nieve
ice | Eis | glace | hielo
glacier | Gletscher | glacier | glaciar
temperature | Temperatur | température | temperatura
pressure | Druck | pression | presión
depth deep | Tiefe tief | profondeur profond | profundidad profundo
height high | Höhe | hauteur altitude | altura
length long | Länge | longueur | longitud
width | Breite | largeur | anchura ancho
thickness | Dicke Stärke | épaisseur | espesor
weight | Gewicht | poids | peso
area surface | Fläche | surface superficie | superficie
volume | Volumen | volume | volumen
speed | Geschwindigkeit | vitesse | velocidad
distance | Entfernung Distanz | distance | distancia
capacity | Kapazität | capacité | capacidad
quantity amount | Menge Betrag | quantité montant | cantidad importe
number count | Zahl Anzahl | nombre | número
rate | Rate Quote Satz | taux | tasa tipo
yield | Ertrag Ernteertrag | rendement | rendimiento
harvest crop | Ernte | récolte | cosecha
wheat | Weizen | blé froment | trigo
rye | Roggen | seigle | centeno
barley | Gerste | orge | cebada
oats oat | Hafer | avoine | avena
maize corn | Mais | maïs | maíz
potato potatoes | Kartoffel Kartoffeln | pomme_de_terre pommes_de_terre | patata patatas
flour | Mehl | farine | harina
bread | Brot | pain | pan
milk | Milch | lait | leche
wine | Wein | vin | vino
oil | Öl | huile pétrole | aceite petróleo
soil ground | Boden Böden Erde | sol terre | suelo tierra
humus | Humus | humus | humus
sample samples | Probe Proben | échantillon échantillons prélèvement | muestra muestras
fertiliser fertilizer fertilise | Dünger gedüngt Düngung | engrais fertilisé | fertilizante abono
nitrogen | Stickstoff | azote | nitrógeno
nitrate | Nitrat | nitrate | nitrato
heavy_metals metal | Schwermetall Schwermetalle Metall | métaux_lourds métal | metales_pesados metal
irrigation | Bewässerung | irrigation arrosage | riego
drought | Trockenheit Dürre | sécheresse | sequía
flood | Hochwasser Überschwemmung | inondation crue | inundación
storm | Sturm | tempête orage | tormenta
fire | Brand Feuer | incendie feu | incendio fuego
accident | Unfall | accident | accidente
outage failure failed fail | Ausfall Störung ausgefallen versagte | panne défaillance | avería fallo apagón
error fault defect | Fehler Mangel Defekt | erreur défaut | error defecto
attack | Angriff | attaque | ataque
cyber | Cyber | cyber cyberattaque | ciber ciberataque
network | Netz Netzwerk | réseau | red
switch_off switched_off shut_down stopped | abgeschaltet Abschaltung stillgelegt | arrêté arrêt éteint coupé | apagado apagó desconectado
start began begin started | Beginn begann begonnen gestartet Start | début commencé commence démarré | inicio comenzó empezó
end ended ends expire expires | Ende endet endete beendet abgelaufen | fin termine terminé expire expiré | fin termina terminó vence
open opened opening | geöffnet eröffnet Eröffnung | ouverture ouvert ouverte | apertura abierto abrió
close closed closure | geschlossen Schließung | fermeture fermé fermée | cierre cerrado cerró
notice termination cancel cancelled | Kündigung Kündigungsfrist gekündigt kündigen | préavis résiliation résilié résilier | preaviso rescisión cancelar
deadline | Frist Termin | délai échéance | plazo
date | Datum | date | fecha
year annual yearly | Jahr Jahres jährlich | année an annuel annuelle | año anual
month monthly | Monat monatlich | mois mensuel | mes mensual
week | Woche | semaine | semana
day | Tag Tage | jour jours | día días
hour | Stunde Stunden | heure heures | hora horas
summer | Sommer | été | verano
winter | Winter | hiver | invierno
spring | Frühling Frühjahr | printemps | primavera
autumn | Herbst | automne | otoño
increase rise rose grew growth | Anstieg gestiegen stieg erhöht gewachsen Wachstum Zunahme | hausse augmentation augmenté croissance monté | aumento subida aumentó subió crecimiento
decrease fall fell decline drop dropped | Rückgang gesunken sank gefallen fiel Abnahme | baisse diminution baissé diminué chute recul reculé | descenso disminución bajó cayó disminuyó
change changed | Änderung Veränderung geändert verändert | changement modification changé modifié | cambio modificación cambió
accelerate accelerated | beschleunigt | accéléré accélération | aceleró aceleración
total whole overall | gesamt insgesamt Summe | total totale ensemble | total conjunto
average mean | Durchschnitt durchschnittlich mittlere | moyenne moyen | media promedio medio
maximum highest | Maximum | maximum maximal plus_élevé | máximo máxima
minimum lowest | Minimum | minimum minimal plus_bas | mínimo mínima
half | Hälfte | moitié | mitad
employee employees staff | Mitarbeiter Mitarbeiterin Mitarbeitende Beschäftigte Angestellte Personal | salarié salariés employé employés personnel effectif | empleado empleados trabajador trabajadores plantilla
employ employs employed | beschäftigt | emploie employé | emplea empleado
manager head | Leiter Leiterin Leitung | responsable directeur directrice chef | jefe responsable director directora
chair chairman chairwoman | Vorsitzender Vorsitzende Vorsitz | président présidente | presidente presidenta
auditor audit audited | Wirtschaftsprüfer Abschlussprüfer Prüfer geprüft | commissaire_aux_comptes auditeur audité | auditor auditado auditoría
author written wrote write | Verfasser Verfasserin Autor Autorin verfasst geschrieben schrieb | auteur rédigé rédigée écrit rédigea | autor autora redactado escrito escribió redactó
signed sign signature | unterzeichnet unterschrieben Unterschrift | signé signature signée | firmado firmó firma
report | Bericht | rapport | informe memoria
note notes | Notiz Vermerk | note | nota
letter | Brief Schreiben | lettre courrier | carta
minutes | Protokoll | procès-verbal compte_rendu | acta
meeting | Sitzung Besprechung Versammlung | réunion séance assemblée | reunión junta
decision decided decide | Beschluss beschlossen Entscheidung entschieden | décision décidé | decisión decidió decidido
approve approved approval | genehmigt Genehmigung bewilligt | approuvé approbation autorisé | aprobado aprobó aprobación
reject rejected refuse refused | abgelehnt Ablehnung verweigert | rejeté refusé refus | rechazado rechazó
postpone postponed delayed delay | verschoben verzögert Verzögerung verspätet Verspätung | reporté retard retardé | aplazado retraso retrasado
law | Gesetz | loi | ley
court | Gericht | tribunal cour | tribunal
lawsuit | Klage | procès plainte | demanda pleito
patent | Patent | brevet | patente
regulator authority | Behörde Aufsicht | autorité régulateur | autoridad regulador
inquiry investigation | Untersuchung Ermittlung untersucht | enquête investigation | investigación
test tested trial | Prüfung Versuch getestet Test | essai test testé | prueba ensayo probado
measure measured measurement | Messung gemessen Messungen | mesure mesuré mesurée mesures | medición medido midió medida
result results | Ergebnis Ergebnisse | résultat résultats | resultado resultados
cause caused reason because | Ursache verursacht Grund | cause causé raison | causa causó motivo razón
risk | Risiko | risque | riesgo
target goal aim | Ziel | objectif but cible | objetivo meta
plan planned | Plan geplant | plan prévu projet | plan previsto
project | Projekt Vorhaben | projet | proyecto
work works | Arbeiten Arbeit | travaux travail | obras trabajo trabajos
mill | Mühle | moulin | molino
farm | Hof Bauernhof | ferme exploitation | granja
field | Feld | champ | campo
forest wood | Wald Holz | forêt bois | bosque madera
tree | Baum Bäume | arbre | árbol
river | Fluss | rivière fleuve | río
lake | See | lac | lago
sea | Meer | mer | mar
island | Insel Inseln | île | isla
mountain | Berg | montagne | montaña
road street | Straße | route rue | calle carretera
bridge | Brücke | pont | puente
station | Station Bahnhof | station gare | estación
weather meteorological | Wetter | météo météorologique | tiempo_meteorológico meteorológica meteorológico
train | Zug Bahn | train | tren
ship boat | Schiff Boot | bateau navire | barco buque
ferry | Fähre | ferry traversier bac | ferry transbordador
car | Auto Wagen | voiture | coche automóvil
ticket tickets | Fahrkarte Fahrkarten Ticket Tickets Karte Karten | billet billets | billete billetes entrada
trip journey travel | Reise Fahrt | voyage trajet | viaje
arrive arrives arrived arrival | Ankunft ankommt angekommen | arrivée arrive arrivé | llegada llega llegó
leave leaves depart departure | Abfahrt abfährt fährt ab | départ part quitte | salida sale partida
return returns back | Rückkehr zurück Rückfahrt | retour revient revenir rentrer | regreso vuelve vuelta volver
cat | Katze | chat | gato
dog | Hund | chien | perro
horse | Pferd | cheval | caballo
bee bees | Biene Bienen | abeille abeilles | abeja abejas
colony colonies hive | Volk Völker Bienenvolk Kolonie | colonie colonies | colonia colonias colmena
pet animal | Haustier Tier Haustiere | animal animaux | animal mascota
child children | Kind Kinder | enfant enfants | niño niños
person people | Person Personen Menschen | personne personnes | persona personas
doctor | Arzt Ärztin | médecin docteur | médico
school | Schule | école | escuela
town city | Stadt | ville | ciudad
country | Land | pays | país
born birth | geboren Geburt | né née naissance | nacido nació nacimiento
die died death dead | gestorben starb starben Tod verendet | mort mourir décédé morts | murió murieron muerte muerto
win won | gewonnen gewann | gagné remporté | ganó ganado
lose lost | verloren verlor | perdu perdue perdus perdues | perdió perdido perdidos
find found | gefunden fand | trouvé | encontrado encontró
sell sold sale | verkauft verkaufte Verkauf verkaufen | vendu vendre vente | vendido vendió venta
buy bought purchase | gekauft kaufte kaufen | acheté acheter achat | comprado compró comprar
use used | eingesetzt verwendet benutzt genutzt Einsatz Nutzung | utilisé utilisée utilisation employée | utilizado utilizada usado uso
take took taken | entnommen entnahm genommen nahm | pris prélevé prise | tomado tomó
allow allowed permitted | erlaubt gestattet darf | permis autorisé autorisée | permitido autorizado
forbid forbidden prohibited | verboten untersagt | interdit interdite défendu | prohibido
include included including | enthalten inklusive einschließlich inbegriffen | compris inclus incluse | incluido incluida
guarantee warranty | Garantie Gewährleistung | garantie | garantía
quality | Qualität | qualité | calidad
safety security | Sicherheit | sécurité | seguridad
password | Passwort Kennwort | mot_de_passe | contraseña
address | Adresse Anschrift | adresse | dirección
name | Name | nom | nombre
passport | Reisepass Pass | passeport | pasaporte
membership member | Mitgliedschaft Mitglied Mitglieder | adhésion membre membres | afiliación miembro miembros socio
gym | Fitnessstudio | salle_de_sport | gimnasio
school_fees tuition | Schulgeld Studiengebühren | frais_de_scolarité | matrícula
music | Musik | musique | música
book | Buch Bücher | livre livres | libro libros
film movie | Film | film | película
colour color | Farbe | couleur | color
new | neu neue neuen neuer neues | nouveau nouvelle neuf neuve | nuevo nueva
old former | alt alte alten früher ehemalig | ancien ancienne vieux | antiguo viejo antigua
first | erste ersten erster | premier première | primero primera
last previous | letzte letzten vorige Vorjahr | dernier dernière précédent précédente | último última anterior
large big | groß große großen | grand grande gros | grande gran
small | klein kleine kleinen | petit petite | pequeño pequeña
free | kostenlos frei | gratuit gratuite libre | gratis gratuito libre
successor succeed succeeds | Nachfolger Nachfolgerin | successeur succède | sucesor sucesora sucede
founded founder | gegründet Gründer Gründung | fondé fondée fondateur | fundado fundada fundador
headquarters | Hauptsitz Sitz Zentrale | siège siège_social | sede
ceramic | keramisch keramische Keramik | céramique | cerámica cerámico
membrane | Membran Membranen | membrane | membrana
filter | Filter | filtre | filtro
removal remove removed | Entfernung entfernt Rückhalt Abscheidung | élimination retrait retiré enlevé | eliminación retirada eliminado
calibration calibrate calibrated | Kalibrierung kalibriert | étalonnage calibrage étalonné | calibración calibrado
voltage | Spannung | tension | tensión voltaje
accuracy | Genauigkeit | précision exactitude | precisión exactitud
humidity | Feuchtigkeit Luftfeuchte Feuchte | humidité | humedad
noise | Lärm Geräusch | bruit | ruido
light | Licht | lumière | luz
waste | Abfall Müll | déchets | residuos desechos
emission emissions | Emission Emissionen Ausstoß | émission émissions | emisión emisiones
visitor visitors | Besucher Besucherin | visiteur visiteurs | visitante visitantes
guest guests | Gast Gäste | invité hôte clients | huésped invitado
connection connections | Anschluss Anschlüsse Verbindung | connexion raccordement | conexión conexiones
fibre fiber | Glasfaser Faser | fibre | fibra
mobile | Mobilfunk mobil | mobile | móvil
tower mast | Turm Mast | tour pylône | torre
cable | Kabel | câble | cable
impairment write-down | Wertminderung Abschreibung | dépréciation amortissement | deterioro amortización
forecast outlook | Prognose Ausblick | prévision prévisions perspectives | previsión pronóstico
coverage | Abdeckung Versorgung | couverture | cobertura
churn | Abwanderung Kündigungsrate | attrition | abandono
"""
_LEAST = 4
_LINKS = ("", "s", "es", "n", "en", "e", "-")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}’'-]*")
_ELIDED = regex.compile(r"^(?:l|d|qu|n|s|j|m|t|c)['’](?=\p{L})", regex.IGNORECASE)


@dataclass(frozen=True)
class Meaning:
    """One thing that a word means.

    Attributes:
        english: The first English word for it.
        terms: Index terms of every English word for it; a text that holds one of them names it.
    """

    english: str
    terms: frozenset[str]


@lru_cache(maxsize=65_536)
def meanings_of(word: str, language: str) -> tuple[Meaning, ...]:
    """Return what a word of another language means; a German compound by its parts, all of which count.

    `Bodenproben` gives soil and samples.  Of a compound whose first part is not known here the last part stands, which
    says what kind of thing it is.  Nothing for a word, or a language, that has no entry.
    """
    if language not in LANGUAGES:
        return ()
    known = _by_word()[language]
    bare = _ELIDED.sub("", word)
    folded = bare.casefold()
    if len(folded) < _LEAST and folded not in _written(language):
        return ()  # the stem of `Lager` is no `lag`
    for form in (folded, folded.removesuffix("s")):  # `des Studios`
        if (direct := known.get(stem_in(form, language))) is not None:
            return (direct,)
    if language != "de" or len(folded) < 2 * _LEAST:
        return ()
    kind: tuple[Meaning, ...] = ()
    for cut in range(_LEAST, len(folded) - _LEAST + 1):
        tail = known.get(stem_in(folded[cut:], "de"))
        if tail is None:
            continue
        heads = (known.get(stem_in(folded[: cut - len(link)], "de")) for link in _LINKS if folded[:cut].endswith(link))
        head = next((meaning for meaning in heads if meaning is not None), None)
        if head is not None:
            return (head, tail)
        kind = kind or (tail,)
    return kind


def phrases_in(text: str, language: str) -> list[tuple[str, Meaning]]:
    """Return the phrases of several words in a text that mean something here, each with its meaning."""
    if language not in LANGUAGES:
        return []
    known = _by_word()[language]
    found = (match.group() for match in _phrases(language).finditer(text.replace("’", "'")))
    return [(phrase, known[phrase.casefold()]) for phrase in found]


@lru_cache(maxsize=16_384)
def english_terms(text: str, language: str) -> frozenset[str]:
    """Return the English index terms of what a text in another language names."""
    if language not in LANGUAGES:
        return frozenset()
    meanings = [meaning for _, meaning in phrases_in(text, language)]
    meanings += [meaning for word in _WORD.findall(text) for meaning in meanings_of(word, language)]
    return frozenset[str]().union(*(meaning.terms for meaning in meanings))


def in_english(text: str, language: str) -> str:
    """Return a text of another language word for word in English, names and figures as they are."""
    for phrase, meaning in phrases_in(text, language):
        text = text.replace("’", "'").replace(phrase, meaning.english)
    return str(
        _WORD.sub(
            lambda word: " ".join(each.english for each in meanings_of(word.group(), language)) or word.group(), text
        )
    )


def from_english(text: str, language: str) -> str:
    """Return an English text word for word in another language; empty where no word has an entry."""
    known = _foreign_words(language)
    words = [(word, known.get(stem(word), word)) for word in _WORD.findall(text)]
    return " ".join(told for _, told in words) if any(told != word for word, told in words) else ""


@cache
def _by_word() -> dict[str, dict[str, Meaning]]:
    """Return for each language the meaning of each of its stems, and of each phrase as written."""
    found: dict[str, dict[str, Meaning]] = {language: {} for language in LANGUAGES}
    for english, others in _lines():
        said = [phrase.replace("_", " ") for phrase in english]
        terms = frozenset(stem(word) for phrase in said for word in phrase.split() if word not in STOP_WORDS)
        for language, words in zip(LANGUAGES, others, strict=True):
            for word in words:
                key = word.replace("_", " ").casefold() if "_" in word else stem_in(word, language)
                before = found[language].get(key)
                # A word of two meanings is met by either.
                meaning = Meaning(said[0], terms) if before is None else Meaning(before.english, before.terms | terms)
                found[language][key] = meaning
    return found


@cache
def _written(language: str) -> frozenset[str]:
    place = LANGUAGES.index(language)
    return frozenset(word.casefold() for _, others in _lines() for word in others[place])


@cache
def _foreign_words(language: str) -> dict[str, str]:
    place = LANGUAGES.index(language)
    found: dict[str, str] = {}
    for english, others in _lines():
        for word in english:
            found.setdefault(stem(word), others[place][0].replace("_", " "))
    return found


def _lines() -> Iterator[tuple[list[str], list[list[str]]]]:
    for line in _CONCEPTS.strip().split("\n"):
        english, *others = (column.split() for column in line.split("|"))
        yield english, others


@cache
def _phrases(language: str) -> regex.Pattern[str]:
    phrases = sorted((key for key in _by_word()[language] if " " in key), key=len, reverse=True)
    return regex.compile(rf"\b(?:{'|'.join(map(regex.escape, phrases)) or '(?!)'})\b", regex.IGNORECASE)
