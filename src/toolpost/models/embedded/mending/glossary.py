"""What people say for the choices that schemas offer: "cool" is 制冷, "express" is "as fast as possible" or 加急.

Everyday words only, in English and Chinese. A choice that is not here is still known by its own words.
"""

import re
from functools import cache

from .codes import names_of

_WORDS = """
mon: monday, 周一 星期一 礼拜一
tue: tuesday, 周二 星期二 礼拜二
wed: wednesday, 周三 星期三 礼拜三
thu: thursday, 周四 星期四 礼拜四
fri: friday, 周五 星期五 礼拜五
sat: saturday, 周六 星期六 礼拜六
sun: sunday, 周日 星期日 星期天 周天 礼拜天
monday: 周一 星期一 礼拜一
tuesday: 周二 星期二 礼拜二
wednesday: 周三 星期三 礼拜三
thursday: 周四 星期四 礼拜四
friday: 周五 星期五 礼拜五
saturday: 周六 星期六 礼拜六
sunday: 周日 星期日 星期天 周天 礼拜天
daily: every day, each day, 每天 天天 每日
weekly: every week, each week, once a week, 每周 每星期 每个星期
monthly: every month, each month, once a month, 每月 每个月
yearly: every year, each year, once a year, 每年
annually: every year, each year, 每年
hourly: every hour, each hour, 每小时
weekdays: every weekday, on weekdays, 工作日
weekends: on weekends, at the weekend, 周末
once: just once, one time, 一次 单次
morning: 早上 上午 早晨 清晨
noon: 中午
afternoon: 下午
evening: tonight, 晚上 傍晚
night: tonight, 夜里 深夜 夜间
breakfast: 早饭 早餐
lunch: 午饭 午餐 中饭 中午吃
dinner: supper, 晚饭 晚餐
snack: 零食 加餐 夜宵 点心
dessert: 甜点 甜品
low: 低
medium: 中等 普通
normal: 普通 正常 一般
high: 高
urgent: asap, emergency, right away, as soon as possible, 紧急 加急 火急 急件 马上
critical: 严重 致命
small: 小号 小杯 小份 小的
large: big, 大号 大杯 大份 大的
extra large: 特大
cool: cooling, 制冷 冷气 降温
heat: heating, 制热 暖气 取暖
dry: 除湿
fan: 送风
auto: automatic, 自动
manual: by hand, 手动
sleep: 睡眠
eco: energy saving, 节能 省电
quiet: silent, softly, 静音 安静 轻声
strong: powerful, full power, 强力 强劲 最大吸力
gentle: 轻柔 柔和
warm: 暖光 暖色 暖白
cold: 冷光 冷色 冷水
on: switch on, turn on, 打开 开启 开一下
off: switch off, turn off, 关掉 关闭 关上 关了
open: 打开 开放
closed: shut, 关闭
up: louder, raise, increase, 调高 调大 上调 升高
down: quieter, lower, decrease, 调低 调小 下调 降低
increase: raise, 增加 提高
decrease: reduce, 减少 降低
left: 左
right: 右
north: 北
south: 南
east: 东
west: 西
start: begin, 开始 启动
stop: 停止 停下
pause: 暂停
resume: go on, continue, 继续 恢复
next: 下一首 下一个
previous: 上一首 上一个
red: 红
blue: 蓝
green: 绿
yellow: 黄
orange: 橙
purple: 紫
pink: 粉
white: 白
black: 黑
grey: gray, 灰
gray: grey, 灰
brown: 棕 褐
gold: golden, 金色
silver: 银
male: man, boy, 男
female: woman, girl, 女
adult: adults, grown-up, 成人 成年
child: children, kid, kids, 儿童 小孩 孩子
student: 学生
senior: elderly, 老人 老年
economy: coach, 经济舱
premium economy: 超级经济舱
business: 商务舱 商务座 公务舱
first: first class, 头等舱 一等座 一等
second: second class, 二等座 二等
standing: 无座 站票
sleeper: 卧铺
window: by the window, 靠窗
aisle: 靠过道 靠走道
one way: single ticket, 单程
round trip: return, there and back, 往返 来回
flight: fly, plane, 飞机 航班
train: rail, 火车 高铁 动车
bus: coach, 公交 巴士 大巴
subway: metro, underground, tube, 地铁
metro: subway, underground, tube, 地铁
taxi: cab, 出租车 打车 的士
car: drive, driving, by car, 开车 驾车 自驾
driving: drive, by car, 开车 驾车 自驾
walking: walk, on foot, 步行 走路 走过去
walk: on foot, 步行 走路
cycling: cycle, bike, by bike, bicycle, 骑车 骑行 自行车
bicycle: bike, cycle, 自行车 骑车
bicycling: bike, cycle, by bike, 自行车 骑车
transit: public transport, bus, train, 公交 公共交通 地铁
g: 高铁
d: 动车
running: run, ran, jog, jogged, 跑步 跑了
swimming: swim, swam, 游泳 游了
hiking: hike, hiked, 徒步 爬山
yoga: 瑜伽
food: eating, eat, meal, groceries, restaurant, lunch, dinner, breakfast, 吃饭 餐饮 火锅 早饭 午饭 晚饭 早餐 午餐 晚餐
dining: restaurant, eating out, 餐饮 吃饭 聚餐
groceries: supermarket, 买菜 超市
transport: bus, taxi, train, metro, petrol, fuel, parking, 交通 地铁 公交 打车 出租车 加油 停车
transportation: bus, taxi, train, metro, 交通 地铁 公交 打车 出租车
travel: trip, hotel, flight, 旅行 旅游 机票 酒店
rent: 房租 租金
housing: rent, 房租 住房
utilities: electricity, water bill, gas bill, power bill, 水电 电费 水费 燃气费
electricity: power, 电费 用电
water: 水费 用水
gas: 燃气 煤气 天然气
internet: broadband, wifi, 宽带 网络
phone: telephone, call, 电话 手机 话费
mobile: cell phone, 手机
email: mail, e-mail, 邮件 邮箱
sms: text message, text, 短信
leisure: cinema, movie, concert, 娱乐 电影 看电影 游戏
entertainment: cinema, movie, concert, game, 娱乐 电影 看电影 游戏 唱歌
shopping: clothes, shoes, 购物 买衣服 衣服
clothing: clothes, 衣服 服装
health: doctor, pharmacy, dentist, medicine, 健康 医疗 看病 药
medical: doctor, pharmacy, dentist, medicine, 医疗 看病 看牙 医院 药
education: course, school, tuition, 教育 学费 课程 培训
salary: wage, wages, paycheck, 工资 薪水
work: job, office, 工作 上班
personal: private, 个人 私人
family: 家人 家庭
sports: sport, 体育 运动
news: 新闻
technology: tech, 科技
science: 科学
politics: 政治
finance: 财经 金融
music: song, songs, 音乐 歌
movie: film, 电影
podcast: 播客
book: novel, 书
chinese: 语文 中文 汉语
mandarin: 中文 汉语 普通话
math: maths, mathematics, 数学
maths: math, mathematics, 数学
english: 英语 英文
physics: 物理
chemistry: 化学
biology: 生物
history: 历史
geography: 地理
art: 美术 绘画
japanese: 日语 日文
korean: 韩语 韩文
french: 法语 法文
german: 德语 德文
spanish: 西班牙语 西语
russian: 俄语 俄文
italian: 意大利语
portuguese: 葡萄牙语
arabic: 阿拉伯语
thai: 泰语
celsius: centigrade, degrees c, °c, 摄氏
fahrenheit: degrees f, °f, 华氏
metric: 公制
imperial: 英制
kg: kilos, kilograms, 公斤 千克
km: kilometers, kilometres, 公里 千米
mi: miles, 英里
dental: dentist, tooth, teeth, toothache, 口腔 牙科 牙疼 看牙 牙医
dentist: dental, tooth, teeth, toothache, 口腔 牙科 牙疼 看牙 牙医
dentistry: dentist, tooth, teeth, 口腔 牙科 牙疼 看牙
dermatology: dermatologist, skin, rash, 皮肤科 皮疹 疹子
ophthalmology: eye doctor, eyes, 眼科 眼睛
ent: ear, nose, throat, 耳鼻喉
pediatrics: paediatrics, pediatrician, 儿科
paediatrics: pediatrics, 儿科
orthopedics: bone, bones, 骨科
internal medicine: 内科
internal: 内科
surgery: surgeon, 外科
cardiology: heart, cardiologist, 心内科 心脏
gynecology: gynecologist, 妇科
neurology: 神经内科
general: gp, general practitioner, 全科 普通
dog: puppy, 狗
cat: kitten, 猫
bird: 鸟
rabbit: bunny, 兔
fish: 鱼
cash: 现金
card: credit card, 刷卡 银行卡
credit card: 信用卡
debit card: 借记卡 储蓄卡
wechat: 微信
alipay: 支付宝
checking: current account, 活期
savings: saving account, 储蓄 存款
standard: regular, normal, 标准 普通
regular: standard, normal, 普通 常规
express: fast, quickest, next-day, as fast as possible, 加急 快件 特快 快递
economy shipping: 经济件
pickup: pick it up, collect, 自提 自取
delivery: deliver, 送货 配送 外送
locker: 快递柜 丰巢 自提柜 柜子
neighbor: neighbour, 邻居
neighbour: neighbor, 邻居
door: doorstep, front door, 门口
sf: 顺丰
yto: 圆通
zto: 中通
sto: 申通
yunda: 韵达
ems: 邮政
jd: 京东
single: single room, 单人
double: double room, 双人 大床
twin: 双床 标间
suite: 套房
pending: open, waiting, 待处理 未处理 等待
in progress: ongoing, 进行中 处理中
done: finished, completed, 完成 做完 办完
completed: finished, done, 已完成 做完
cancelled: canceled, called off, 取消
canceled: cancelled, called off, 取消
unread: not read, 未读
read: 已读
all: everything, 全部 所有
newest: latest, most recent, 最新
latest: newest, most recent, 最新
oldest: 最早 最旧
price asc: cheapest, lowest price, cheapest first, 价格从低到高 最便宜
price desc: most expensive, 价格从高到低 最贵
price low to high: cheapest, cheapest first, 从低到高 最便宜
price: cheapest, by price, 价格 便宜
cheapest: lowest price, 最便宜
rating: best rated, highest rated, top rated, 评分 好评
sales: best selling, most sold, bestselling, 销量
popularity: most popular, popular, 人气 热门
relevance: most relevant, 相关
distance: nearest, closest, 距离 最近的
duration: shortest, fastest, 时长 最快
shortest: quickest, 最短
fastest: quickest, 最快
public: everyone, 公开
private: only me, 私密 仅自己
view: read-only, read only, look at, only look, 查看 只读 只许看 只能看
comment: comments, 评论 批注
edit: change, write, 编辑 修改
read only: look at, 只读 只许看 只能看
equal payment: equal instalments, 等额本息
equal principal: 等额本金
fixed: 固定
pothole: hole, 坑 坑洼
streetlight: street light, street lamp, 路灯
street light: streetlight, street lamp, 路灯
water leak: burst pipe, leaking, leak, 漏水 水管爆 爆管
garbage: trash, rubbish, 垃圾
graffiti: 涂鸦
noise: loud, 噪音 噪声 太吵
sunny: sun, 晴
rainy: rain, 下雨
vegetarian: veggie, 素食 吃素
vegan: 纯素
spicy: hot, 辣
mild: 微辣
formal: polite, 正式
informal: casual, 随意
casual: informal, 随意 休闲
friendly: 友好 亲切
short: brief, 短
long: detailed, 长
bug: defect, broken, 缺陷 故障
feature: 功能 需求
task: 任务
meeting: 会议 开会
birthday: 生日
income: earned, 收入
expense: spent, 支出 花了
buy: purchase, 买入 买
sell: 卖出 卖
comedy: funny, 喜剧 搞笑
drama: 剧情
action: 动作片
horror: scary, 恐怖片
romance: romantic, 爱情片 言情
sci fi: science fiction, 科幻
documentary: 纪录片
animation: animated, cartoon, 动画
thriller: 惊悚 悬疑
rock: 摇滚
pop: 流行
jazz: 爵士
classical: 古典
folk: 民谣
electronic: 电子乐
hip hop: rap, 说唱 嘻哈
sichuan: 川菜
cantonese: 粤菜
hotpot: hot pot, 火锅
barbecue: bbq, 烧烤
fast food: 快餐
seafood: 海鲜
noodles: 面条 面馆
bakery: 面包店
cafe: coffee shop, 咖啡馆 咖啡厅
bar: pub, 酒吧
restaurant: 餐厅 饭店 餐馆
hotel: 酒店 宾馆
pharmacy: chemist, drugstore, 药店 药房
hospital: 医院
bank: 银行
gas station: petrol station, filling station, 加油站
parking: car park, 停车场
supermarket: 超市
museum: 博物馆
park: 公园
cinema: movie theater, 电影院
gym: fitness, 健身房
school: 学校
airport: 机场
latte: 拿铁
cappuccino: 卡布奇诺
americano: 美式
espresso: 浓缩
tea: 茶
coffee: 咖啡
no sugar: without sugar, sugar-free, 无糖 不加糖
half sugar: 半糖
less sugar: 少糖 少甜
full sugar: 全糖
no ice: without ice, 去冰 不加冰
less ice: 少冰
petrol: gasoline, 汽油
diesel: 柴油
electric: 电动 电车 纯电
hybrid: 混动 混合动力
sedan: saloon, 轿车
suv: 越野车
van: 面包车 商务车
truck: lorry, 卡车 货车
bedtime: 睡前
weight: 体重
height: 身高
blood pressure: 血压
heart rate: pulse, 心率 心跳
temperature: 温度 体温
humidity: 湿度
wind: 风速 风力
light: 灯 灯光
curtain: curtains, blinds, 窗帘
air conditioner: ac, aircon, 空调
tv: television, 电视
fridge: refrigerator, 冰箱
washer: washing machine, 洗衣机
vacuum: 吸尘器 扫地机
speaker: 音箱 音响
camera: 摄像头 相机
lock: 门锁
cotton: 棉 棉质
wool: woolen, 羊毛
silk: 丝绸 真丝
denim: jeans, 牛仔
leather: 皮革 真皮
invoice: 发票
receipt: 收据 小票
contract: 合同
report: 报告
image: picture, photo, 图片 照片
video: 视频
audio: 音频
document: 文档 文件
folder: 文件夹
annual leave: vacation, holiday, 年假
sick leave: sick, ill, 病假
personal leave: 事假
maternity leave: 产假
overtime: 加班
full time: 全职
part time: 兼职
intern: internship, 实习
remote: from home, 远程 居家
onsite: in the office, 现场 到岗
online: 线上 在线 网上
offline: in person, 线下
stock: shares, 股票
fund: 基金
bond: 债券
crypto: bitcoin, 加密货币
loan: 贷款
mortgage: 房贷
refund: money back, 退款
exchange: swap, 换货
return: send back, 退货
damaged: broken, 破损 坏了 损坏
wrong item: 发错 错货
defective: faulty, doesn't work, 质量问题 有毛病
not needed: changed my mind, don't need it, 不想要 不需要
too small: 小了 太小
too large: too big, 大了 太大
complaint: complain, 投诉
question: 咨询 问题
suggestion: 建议
billing: bill, 账单
technical: 技术
spring: 春天 春季
summer: 夏天 夏季
autumn: fall, 秋天 秋季
winter: 冬天 冬季
living room: lounge, 客厅
bedroom: 卧室
kitchen: 厨房
bathroom: 浴室 卫生间 洗手间
study: 书房
balcony: 阳台
garage: 车库
word: docx, 文档
excel: spreadsheet, xlsx, 表格
beginner: novice, 初学 入门
intermediate: 中级
advanced: 高级 进阶
easy: 简单 容易
hard: difficult, 困难 难
"""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\-/]+")


def words_for(choice: str) -> tuple[str, ...]:
    """The words that mean a choice, its own among them; of one in Chinese, those that mean the same as it."""
    own = " ".join(_CAMEL.sub(" ", choice).lower().split()) or choice
    if own.isascii():
        return (own, *_glossary().get(own, ()), *names_of(own))
    alike = (words for words in _glossary().values() if own in words)
    return tuple(dict.fromkeys([own, *(word for words in alike for word in words if not word.isascii())]))


@cache
def _glossary() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _WORDS.strip().splitlines():
        choice, _, said = line.partition(":")
        *phrases, rest = said.split(",")
        # English is divided by commas, Chinese by spaces.
        last = [rest.strip()] if rest.isascii() else rest.split()
        found[choice] = tuple(word for phrase in (*phrases, *last) if (word := phrase.strip()))
    return found
