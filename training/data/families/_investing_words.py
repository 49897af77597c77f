"""What people invest in: companies, indices, coins, funds, and how often."""

from training.data.kinds import Choice, Code, Word

COMPANY = Word(
    (
        *("Northwind Energy", "Bluefin Foods", "Acme Motors", "Helios Solar", "Orchid Bank", "Granite Steel"),
        *("Lumen Optics", "Cobalt Mining", "Harbor Freightways", "Pinecrest Paper", "Vela Telecom", "Quartz Software"),
        *("Sable Airlines", "Maple Pharma", "Tidewater Shipping", "Juniper Toys", "Falcon Robotics", "Ember Coffee"),
        *("Willow Hotels", "Zenith Chips", "Cedar Insurance", "Aurora Games"),
    ),
    (
        *("北风能源", "蓝鳍食品", "极光汽车", "日曜光伏", "兰花银行", "磐石钢铁", "明光光学", "钴业矿产", "远港物流"),
        *("松岭纸业", "帆云电信", "石英软件", "黑貂航空", "枫叶制药", "潮汐航运", "乐童玩具", "猎鹰机器人", "炭火咖啡"),
        *("柳园酒店", "天顶芯片", "雪松保险", "极光游戏"),
    ),
)
INDEX = Choice(
    {
        "DAX": (("DAX",), ("德国DAX指数", "DAX")),
        "FTSE100": (("FTSE 100", "Footsie"), ("富时100", "英国富时指数")),
        "NIKKEI225": (("Nikkei", "Nikkei 225"), ("日经225", "日经指数")),
        "SP500": (("S&P 500", "S and P 500"), ("标普500",)),
        "NASDAQ": (("Nasdaq",), ("纳斯达克", "纳指")),
        "HSI": (("Hang Seng", "Hang Seng Index"), ("恒生指数", "恒指")),
        "SSE": (("Shanghai Composite",), ("上证指数", "上证综指")),
        "CAC40": (("CAC 40", "CAC"), ("法国CAC40",)),
    },
)
COIN = Choice(
    {
        "bitcoin": (("bitcoin", "BTC"), ("比特币", "BTC")),
        "ethereum": (("ether", "ethereum", "ETH"), ("以太坊", "以太币")),
        "litecoin": (("litecoin", "LTC"), ("莱特币",)),
        "solana": (("solana", "SOL"), ("索拉纳", "SOL币")),
        "dogecoin": (("dogecoin", "doge"), ("狗狗币",)),
        "cardano": (("cardano", "ADA"), ("艾达币",)),
    },
    ({"bitcoin": "BTC", "ethereum": "ETH", "litecoin": "LTC", "solana": "SOL", "dogecoin": "DOGE", "cardano": "ADA"},),
)
RHYTHM = Choice(
    {
        "weekly": (("every week", "weekly"), ("每周", "每个星期")),
        "monthly": (("every month", "monthly"), ("每月", "每个月")),
        "quarterly": (("every quarter", "quarterly"), ("每季度", "每个季度")),
        "yearly": (("every year", "once a year"), ("每年",)),
    },
    ({"weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year"},),
)
FUND = Word(
    (
        *("World Index", "Green Future", "Emerging Markets", "Asia Growth", "Global Bonds"),
        *("Clean Water", "Small Caps"),
        *("European Dividend", "Gold Reserve", "Health Innovation", "Real Estate Income"),
        *("Balanced 60", "Tech Leaders"),
        *("Nordic Equity", "Ocean Impact", "Pension 2050", "Value Select", "Frontier", "Short Bonds", "Infrastructure"),
    ),
    (
        *("全球指数基金", "绿色未来基金", "新兴市场基金", "亚洲成长基金", "全球债券基金", "清洁水务基金", "小盘精选"),
        *("红利基金", "黄金基金", "医疗创新基金", "地产收益基金", "平衡60基金", "科技龙头基金", "养老2050", "价值精选"),
        *("短债基金", "基建基金", "消费升级基金", "半导体基金", "沪深300基金"),
    ),
)
ADDRESS = Code(("bc1qxxxxxxxxxxxxxx", "0xxxxxxxxxxxxxxx", "ltc1xxxxxxxxxxxx", "addr-xxxxxxxxxx"))
