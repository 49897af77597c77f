"""Names of streets."""

from training.data.kinds import Word

STREET = Word(
    (
        *("Mill Lane", "Harbour Street", "Elm Road", "Station Avenue", "Rosewood Drive", "Park Terrace", "Chapel Hill"),
        *("Orchard Close", "North Quay", "Lindenstrasse", "Via Roma", "Maple Court", "Church Street", "Canal Road"),
        *("Sunset Boulevard", "Tanner Street", "Old Bridge Road", "Meadow Way", "Victoria Square", "Fox Hollow"),
    ),
    (
        *("中山路", "人民路", "解放大道", "建设街", "和平路", "学府路", "滨江大道", "青年路", "文化街"),
        *("长江路", "花园路"),
        *("西湖大道", "新华街", "朝阳路", "光明巷", "复兴路", "幸福里", "胜利街", "民主路", "东风路"),
    ),
)
