"""The school laboratory: elements, formulas, solutions, and the laws of motion and current."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Integer, ListOf, Record, Word
from training.data.wordings import distinct, pool

ELEMENT = Word(
    pool(
        """hydrogen | helium | lithium | carbon | nitrogen | oxygen | neon | sodium | magnesium | aluminium | silicon
        sulfur | chlorine | potassium | calcium | titanium | iron | copper | zinc | silver | tin | iodine | tungsten
        gold | mercury | lead | uranium | bismuth | cobalt | nickel | xenon | platinum"""
    ),
    pool(
        """氢 | 氦 | 锂 | 碳 | 氮 | 氧 | 氖 | 钠 | 镁 | 铝 | 硅 | 硫 | 氯 | 钾 | 钙 | 钛 | 铁 | 铜 | 锌 | 银 | 锡 | 碘
        钨 | 金 | 汞 | 铅 | 铀 | 钴 | 镍 | 铂"""
    ),
)
FORMULA = Word(
    pool(
        """H2O | NaCl | CO2 | C6H12O6 | H2SO4 | CaCO3 | NH3 | CH4 | C2H5OH | NaOH | HCl | KMnO4 | Fe2O3 | CuSO4
        AgNO3 | Na2CO3 | C8H10N4O2 | Mg(OH)2 | Al2(SO4)3 | HNO3 | NaHCO3 | C3H8 | SiO2 | PbI2 | K2Cr2O7"""
    )
)
REACTION = Word(
    pool(
        """H2 + O2 -> H2O | Fe + O2 -> Fe2O3 | CH4 + O2 -> CO2 + H2O | Na + H2O -> NaOH + H2 | N2 + H2 -> NH3
        C3H8 + O2 -> CO2 + H2O | Al + HCl -> AlCl3 + H2 | KClO3 -> KCl + O2 | Zn + HCl -> ZnCl2 + H2
        P4 + O2 -> P2O5 | Mg + N2 -> Mg3N2 | C2H6 + O2 -> CO2 + H2O | Fe2O3 + CO -> Fe + CO2
        CaCO3 -> CaO + CO2 | AgNO3 + Cu -> Cu(NO3)2 + Ag | SO2 + O2 -> SO3 | H2O2 -> H2O + O2 | Al + O2 -> Al2O3
        NaHCO3 -> Na2CO3 + H2O + CO2 | Pb(NO3)2 + KI -> PbI2 + KNO3"""
    )
)
ASPECT = Choice(
    {
        "melting_point": (("melting point",), ("熔点",)),
        "boiling_point": (("boiling point",), ("沸点",)),
        "density": (("density",), ("密度",)),
        "atomic_number": (("atomic number",), ("原子序数",)),
        "atomic_mass": (("atomic mass", "atomic weight"), ("相对原子质量", "原子量")),
        "electronegativity": (("electronegativity",), ("电负性",)),
    },
    (
        {
            "melting_point": "MELTING_POINT",
            "boiling_point": "BOILING_POINT",
            "density": "DENSITY",
            "atomic_number": "ATOMIC_NUMBER",
            "atomic_mass": "ATOMIC_MASS",
            "electronegativity": "ELECTRONEGATIVITY",
        },
    ),
)

ELEMENT_FACT = Family(
    key="science.element",
    names=("element_property", "periodic_table_lookup", "chemical_element_info", "lookup_element", "elements_db"),
    about=(
        "One property of a chemical element.",
        "Periodic table: melting and boiling point, density, number, mass or electronegativity of an element.",
        "Reads the periodic table. Does not know compounds.",
    ),
    about_zh=("查询化学元素的某项性质。", "元素周期表查询：熔点、沸点、密度、原子序数等，不含化合物。"),
    params=(
        Param("element", ELEMENT, ("element", "element_name", "name"), ("Name of the element",), ("元素名称",)),
        Param("aspect", ASPECT, ("property", "what", "attribute"), ("What to look up",), ("查询的性质",)),
    ),
    asks=(
        "What's the {aspect} of {element}?",
        Ask("At what temperature does {element} melt?", {"aspect": "melting_point"}),
        Ask("when does {element} start to boil", {"aspect": "boiling_point"}),
        Ask("how many protons sit in an atom of {element}", {"aspect": "atomic_number"}),
        "look up {element}, I only need its {aspect}",
        "crossword clue says '{aspect} of {element}', help me out",
        Ask("How many grams does a cubic centimetre of {element} weigh?", {"aspect": "density"}),
        "{aspect}: {element}",
        "I forgot the {aspect} of {element} and the test is in ten minutes",
    ),
    asks_zh=(
        "{element}的{aspect}是多少？",
        Ask("{element}多少度会熔化", {"aspect": "melting_point"}),
        Ask("{element}加热到多少度才沸腾？", {"aspect": "boiling_point"}),
        Ask("{element}原子里有几个质子", {"aspect": "atomic_number"}),
        "元素{element}，{aspect}",
        "马上考试了，{element}的{aspect}我忘了",
        "帮我翻一下周期表，{element}的{aspect}",
        Ask("一立方厘米的{element}有多重？", {"aspect": "density"}),
        "化学课要用，查{element}元素的{aspect}",
        "{aspect}，要{element}的",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Decimal(1, 3500, 1)),),
            texts=("{value}",),
            answers=("For {element} it is {value}.", "The table says {value} for {element}.", "It is {value}."),
            answers_zh=("{element}是{value}。", "周期表上写的是{value}。", "查到{element}：{value}。"),
        ),
    ),
    missing=(
        Missing(
            key="element",
            asks=("What is its {aspect}?", "I need the {aspect} of an element"),
            replies=("Of which element?", "Which element do you mean?"),
            asks_zh=("这个元素的{aspect}是多少？", "帮忙查元素的{aspect}"),
            replies_zh=("请问是哪种元素？", "要查哪个元素？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

MOLAR = Family(
    key="science.molar_mass",
    names=("molar_mass", "molecular_weight", "formula_mass", "compute_molar_mass", "mass_of_compound"),
    about=(
        "Molar mass of a compound.",
        "Adds up the atomic masses of a chemical formula, in g/mol.",
        "Weight of one mole. For single elements use a periodic table.",
    ),
    about_zh=("计算化合物的摩尔质量。", "根据化学式求分子量，单位 g/mol。"),
    params=(
        Param("formula", FORMULA, ("formula", "compound", "chemical_formula"), ("e.g. KBr",), ("化学式",)),
        Param("decimals", Integer(1, 4), ("decimals", "precision"), ("Decimal places",), ("保留小数位",), False, 2),
    ),
    asks=(
        "What is the molar mass of {formula}?",
        "how much does a mole of {formula} weigh[, {decimals} decimals]",
        "molecular weight {formula}",
        "I'm in the lab and need g/mol for {formula}, quickly",
        "Could you add up the atomic masses in {formula}[ and give {decimals} decimal places]?",
        "one mole of {formula} on the scales shows what?",
        "grams per mole of {formula}[, rounded to {decimals} decimals]?",
        "for my titration: how heavy is {formula} per mole",
    ),
    asks_zh=(
        "{formula} 的摩尔质量是多少？",
        "一摩尔 {formula} 有多重[，保留{decimals}位小数]",
        "求 {formula} 的分子量",
        "实验室急用：{formula} 每摩尔多少克",
        "{formula} 的相对分子质量怎么算，给个结果",
        "把 {formula} 里各原子的质量加起来[，{decimals}位小数]",
        "称 1 mol {formula} 要几克？",
        "{formula} 是多少 g/mol[，小数点后{decimals}位]",
        "配溶液，要知道 {formula} 的摩尔质量",
        "分子量：{formula}",
    ),
    outcomes=(
        Outcome(
            fields=(("g_per_mol", Decimal(16, 400, 2)),),
            texts=("{g_per_mol} g/mol",),
            answers=("{formula} has {g_per_mol} g/mol.", "A mole of {formula} weighs {g_per_mol} g."),
            answers_zh=("{formula} 的摩尔质量是 {g_per_mol} g/mol。", "一摩尔 {formula} 重 {g_per_mol} 克。"),
        ),
    ),
    missing=(
        Missing(
            key="formula",
            asks=("What's the molar mass of this compound?", "work out a molecular weight for me"),
            replies=("What is the formula of the compound?", "Which compound? Please give me its formula."),
            asks_zh=("帮我算个分子量", "这个化合物的摩尔质量是多少？"),
            replies_zh=("请问化学式是什么？", "是哪种化合物？请给出化学式。"),
        ),
    ),
    errors=("unknown symbol in formula",),
)

BALANCE = Family(
    key="science.balance",
    names=("balance_equation", "balance_reaction", "stoichiometry_balancer", "chem_balance"),
    about=(
        "Balance a chemical equation.",
        "Finds the whole numbers in front of each substance so that both sides agree.",
        "Balances reactions written with -> between the sides.",
    ),
    about_zh=("配平化学方程式。", "求出反应式两边各物质的系数。"),
    params=(
        Param(
            "reaction", REACTION, ("equation", "reaction", "unbalanced"), ("e.g. K + Br2 -> KBr",), ("未配平的反应式",)
        ),
    ),
    asks=(
        "Balance {reaction} for me.",
        "can you put the right numbers into {reaction}",
        "My homework: {reaction}. The two sides don't match, fix it.",
        "coefficients for {reaction} please",
        "I've been staring at {reaction} for half an hour and can't get the atoms to agree",
        "what does {reaction} look like when it is balanced?",
        "balanced form: {reaction}",
        "How many of each molecule are needed in {reaction}?",
    ),
    asks_zh=(
        "配平 {reaction}",
        "{reaction} 两边原子数不对，帮我配一下系数",
        "化学作业：{reaction}，怎么配平？",
        "{reaction} 前面的数字该填什么",
        "这个反应式 {reaction} 我配了半天配不出来",
        "请给出 {reaction} 配平后的样子",
        "{reaction} 的系数是多少？",
        "方程式 {reaction} ，配平它",
        "{reaction} 每种分子各要几个",
        "麻烦把 {reaction} 补上系数",
    ),
    outcomes=(
        Outcome(
            fields=(("coefficients", Word(("2, 1, 2", "4, 3, 2", "1, 2, 1, 2", "1, 5, 3, 4", "2, 6, 2, 3"))),),
            texts=("{coefficients}",),
            answers=("The coefficients are {coefficients}.", "In order, put {coefficients} in front."),
            answers_zh=("系数依次是 {coefficients}。", "配平后系数为 {coefficients}。"),
        ),
    ),
    missing=(
        Missing(
            key="reaction",
            asks=("Balance a chemical equation for me.", "I can't get my equation to balance, help"),
            replies=("Which equation is it?", "Please give me the equation."),
            asks_zh=("帮我配平一个方程式。", "我这个反应式配不平，帮忙"),
            replies_zh=("请问是哪个反应式？", "方程式是什么？"),
        ),
    ),
)

DILUTE = Family(
    key="science.dilute",
    names=("dilution_volume", "dilute_solution", "stock_needed", "plan_dilution"),
    about=(
        "How much stock solution a dilution takes.",
        "Computes the volume of stock for a weaker solution from the two concentrations and the final volume.",
    ),
    about_zh=("计算稀释所需母液体积。", "根据原浓度、目标浓度和总体积算出要取多少母液。"),
    params=(
        Param(
            "stock",
            Decimal(5, 18, 1),
            ("stock_molarity", "c_start", "stock_concentration"),
            ("Concentration of the stock in mol/L",),
            ("母液浓度，mol/L",),
        ),
        Param(
            "target",
            Decimal(0.6, 4, 1),
            ("target_molarity", "c_end", "wanted_concentration"),
            ("Concentration wanted in mol/L",),
            ("目标浓度，mol/L",),
        ),
        Param(
            "volume",
            Integer(50, 950, 50),
            ("final_volume_ml", "total_ml", "volume"),
            ("Final volume in millilitres",),
            ("最终体积，毫升",),
        ),
    ),
    asks=(
        "How much {stock} molar stock do I need for {volume} ml at {target} mol/L?",
        "I want {volume} ml of a {target} M solution and my bottle is {stock} M",
        "dilute {stock} M down to {target} M, final volume {volume} ml. how much do i take",
        "The acid comes as {stock} mol/L. We need it at {target} mol/L, {volume} ml in all. What do I pipette?",
        "making {volume} millilitres of {target} molar from {stock} molar",
        "From {stock} M to {target} M in a {volume} ml flask: stock volume?",
        "help, lab in five minutes: {stock} M bottle, {target} M wanted, {volume} ml total",
        "what volume of a {stock} M stock gives {volume} ml of {target} M?",
    ),
    asks_zh=(
        "母液{stock}mol/L，要配{volume}毫升{target}mol/L的溶液，取多少？",
        "把{stock}摩尔的稀释到{target}摩尔，总共{volume}毫升，要吸多少母液",
        "我要{volume}毫升{target}M的，手头这瓶是{stock}M",
        "配液：原浓度{stock}mol/L，目标{target}mol/L，定容到{volume}毫升",
        "瓶子上写{stock}M，实验要{target}M，一共{volume}毫升，怎么配",
        "{volume}毫升容量瓶，{stock}M配成{target}M，移取几毫升？",
        "浓酸{stock}mol/L，想要{target}mol/L的{volume}毫升，量取多少合适",
        "从{stock}M到{target}M，{volume}毫升，要多少原液",
        "快上实验课了：原液{stock}M，要{target}M，共{volume}毫升，取液量是多少",
        "用{stock}摩尔每升的母液配{volume}毫升、{target}摩尔每升的，帮我算",
    ),
    outcomes=(
        Outcome(
            fields=(("stock_ml", Decimal(1, 300, 1)), ("water_ml", Decimal(20, 900, 1))),
            texts=("{stock_ml} ml stock + {water_ml} ml water",),
            answers=(
                "Take {stock_ml} ml of the stock and add {water_ml} ml of water.",
                "You need {stock_ml} ml of stock and {water_ml} ml of water.",
            ),
            answers_zh=("取母液{stock_ml}毫升，加水{water_ml}毫升。", "需要{stock_ml}毫升母液和{water_ml}毫升水。"),
        ),
    ),
    missing=(
        Missing(
            key="volume",
            asks=("I need to dilute {stock} M to {target} M.", "from {stock} molar to {target} molar, how much stock?"),
            replies=("What should the final volume be?", "How many millilitres do you need in all?"),
            asks_zh=("把{stock}M的稀释成{target}M，取多少？", "{stock}mol/L配成{target}mol/L怎么弄"),
            replies_zh=("请问最终要多少毫升？", "总体积是多少？"),
        ),
        Missing(
            key="stock",
            asks=("I want {volume} ml of a {target} M solution, how much stock do I take?",),
            replies=("How concentrated is your stock?", "What is the molarity of the stock?"),
            asks_zh=("要配{volume}毫升{target}M的溶液，取多少母液？",),
            replies_zh=("请问母液浓度是多少？", "原液是多少摩尔每升？"),
        ),
    ),
)

KINETIC = Family(
    key="science.kinetic_energy",
    names=("kinetic_energy", "energy_of_motion", "compute_kinetic_energy", "moving_mass_energy"),
    about=(
        "Kinetic energy of a moving body.",
        "Energy in joules from mass and speed.",
        "Half the mass times the speed squared; not for energy of height.",
    ),
    about_zh=("计算物体的动能。", "由质量和速度求动能，单位焦耳，不算势能。"),
    params=(
        Param("mass", Decimal(1, 900, 1), ("mass_kg", "m", "mass"), ("In kilograms",), ("质量，千克",)),
        Param("speed", Decimal(1, 90, 1), ("speed_mps", "v", "velocity"), ("In metres per second",), ("速度，米每秒",)),
    ),
    asks=(
        "How much energy does a {mass} kg ball have at {speed} m/s?",
        "{mass} kilograms moving at {speed} metres per second: how many joules of motion",
        "A cart of {mass} kg rolls along at {speed} m/s. What is its kinetic energy?",
        "kinetic energy, m = {mass} kg, v = {speed} m/s",
        "if something flies at {speed} m/s and weighs {mass} kg, how hard does it hit in joules?",
        "Physics question 4: speed {speed} m/s, mass {mass} kg, find the energy of motion.",
        "joules in a {mass} kg sledge that slides at {speed} m/s",
        "the sensor says {speed} m/s and the crate is {mass} kg, so what energy must the buffer take up?",
    ),
    asks_zh=(
        "{mass}千克的球以{speed}米每秒运动，动能多少？",
        "一辆{mass}公斤的小车速度{speed}m/s，有多少焦耳",
        "速度{speed}米每秒，质量{mass}千克，求动能",
        "物理题：m={mass}kg，v={speed}m/s，动能是？",
        "{mass}公斤的箱子{speed}米每秒滑过来，缓冲器要吸收多少能量",
        "雪橇{mass}千克，滑行速度{speed}m/s，动能算一下",
        "{speed}m/s飞来的{mass}公斤石头，撞击能量有几焦",
        "动能：{mass}kg，{speed}m/s",
        "有个物体{mass}千克，每秒跑{speed}米，它带着多少能量？",
        "帮孩子算道题，质量{mass}千克、速度{speed}米每秒的动能",
    ),
    outcomes=(
        Outcome(
            fields=(("joules", Decimal(10, 90000, 1)),),
            texts=("{joules} J",),
            answers=("Its kinetic energy is {joules} joules.", "That makes {joules} J."),
            answers_zh=("动能是{joules}焦耳。", "一共{joules}焦。"),
        ),
    ),
    missing=(
        Missing(
            key="speed",
            asks=("What's the kinetic energy of {mass} kg?", "energy of a {mass} kg ball in flight"),
            replies=("How fast does it move, in metres per second?", "What is its speed?"),
            asks_zh=("{mass}千克的物体动能多少？", "{mass}公斤的球飞过来有多少能量"),
            replies_zh=("请问速度是多少米每秒？", "它的速度是多少？"),
        ),
    ),
)

CIRCUIT = Family(
    key="science.resistors",
    names=("total_resistance", "combine_resistors", "resistor_network", "equivalent_resistance"),
    about=(
        "Total resistance of resistors in series or in parallel.",
        "Combines a list of resistors into one value in ohms.",
        "Each resistor has a label and a value; the way they are wired decides the total.",
    ),
    about_zh=("计算串联或并联电阻的总电阻。", "把多个电阻合成一个等效电阻，单位欧姆。"),
    params=(
        Param(
            "parts",
            ListOf(
                Record(
                    "{label} with {ohms} ohms",
                    "{label}是{ohms}欧",
                    {"label": Word(("R1", "R2", "R3", "R4", "R5", "R6", "RA", "RB")), "ohms": Integer(10, 990, 10)},
                ),
                2,
                4,
            ),
            ("resistors", "parts", "components"),
            ("The resistors",),
            ("各个电阻",),
        ),
        Param(
            "wiring",
            Choice(
                {
                    "series": (("in series", "one after the other"), ("串联",)),
                    "parallel": (("in parallel", "side by side"), ("并联",)),
                }
            ),
            ("wiring", "connection", "mode"),
            ("How they are connected",),
            ("连接方式",),
        ),
    ),
    asks=(
        "What is the total resistance of {parts}, all {wiring}?",
        "I soldered {parts} {wiring}. How many ohms does the meter show?",
        "{wiring}: {parts}. total?",
        "combine {parts}, connected {wiring}",
        "If I wire {parts} {wiring}, which single resistor could replace them?",
        "equivalent resistance, {wiring}, of {parts}",
        "my board has {parts} {wiring}, what do I get in the end",
        "I only have {parts} in the drawer. Wired {wiring}, what do they come to?",
    ),
    asks_zh=(
        "{parts}{wiring}后总电阻是多少？",
        "把{parts}{wiring}起来，一共多少欧",
        "我焊了{parts}，{wiring}，万用表会显示几欧？",
        "{wiring}：{parts}，求等效电阻",
        "电路里{parts}是{wiring}的，总阻值呢",
        "{parts}，{wiring}，能用多大的一个电阻代替？",
        "物理题，{parts}{wiring}，总电阻？",
        "算下{parts}{wiring}的阻值",
        "抽屉里只有{parts}，{wiring}起来是多大",
        "面包板上插了{parts}，接法是{wiring}，等效多少欧",
    ),
    outcomes=(
        Outcome(
            fields=(("ohms", Decimal(5, 2000, 1)),),
            texts=("{ohms} ohms",),
            answers=("The total is {ohms} ohms.", "Together they have {ohms} ohms."),
            answers_zh=("总电阻是{ohms}欧。", "合起来是{ohms}欧姆。"),
        ),
    ),
    missing=(
        Missing(
            key="wiring",
            asks=("What's the total of {parts}?", "combine {parts} for me"),
            replies=("Are they in series or in parallel?", "How are they wired: in series or in parallel?"),
            asks_zh=("{parts}总电阻多少？", "{parts}合起来几欧"),
            replies_zh=("请问是串联还是并联？", "它们是怎么连接的，串联还是并联？"),
        ),
    ),
    fits=distinct("parts", "label"),
)

DOMAIN = Domain(
    "science",
    (ELEMENT_FACT, MOLAR, BALANCE, DILUTE, KINETIC, CIRCUIT),
    unserved=(
        ("Order two litres of ethanol for the lab.", "给实验室订两升乙醇。"),
        ("Is it dangerous to mix bleach and vinegar?", "漂白剂和醋混在一起危险吗？"),
        ("Draw the structure of caffeine.", "画出咖啡因的结构式。"),
        ("Explain why the sky is blue.", "解释一下天空为什么是蓝的。"),
        ("Who won the Nobel Prize in Physics last year?", "去年的诺贝尔物理学奖给了谁？"),
        ("Turn on the fume hood in room 3.", "打开三号室的通风橱。"),
        ("How long does it take a stone to fall 40 metres?", "石头从40米高处落下要多久？"),
        ("Write the report on yesterday's experiment.", "把昨天实验的报告写出来。"),
        ("What is the pH of lemon juice?", "柠檬汁的pH是多少？"),
        ("Book the microscope for Thursday afternoon.", "预约周四下午的显微镜。"),
        ("Predict the colour of the flame.", "预测一下火焰的颜色。"),
        ("Print safety labels for the acid cabinet.", "给酸柜打印安全标签。"),
    ),
)
