"""Chinese in traditional characters, made of the simplified ones: so each text is written once.

>>> traditional("炮二平五，马8进7"), traditional("鹏飞万里")
('炮二平五，馬8進7', '鵬飛萬里')
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    T = TypeVar("T")

_CHARACTERS = str.maketrans(
    "“”万与东两临为习争云亲仓会侧兑关军冲准凤凶击刍别动劳单卧双变后启响围国图声处复头夺宫宾对将尽师帐"
    "帘帮库应开弃弹归当惊执抛报拥挂挡捞损换据敌数斗斩断无时显机杀标桥横残毙汉没济浑点烧牵牺环现盘着砖确"
    "祸离种穷紧红级练终结继续缓缚网罗联胜脸舍节茧荆荐荫营蓝补见计认记评词诱请读调谈谱败赞趋车转轻辅输边"
    "过还进连里针钓钩铁铺锋错长门闪闷阵际陈随顺题风飞饮马驯驹驾骑骥鱼鸟鸣鸾鹏黄齿龙龟轮组团体赛论",
    "「」萬與東兩臨為習爭雲親倉會側兌關軍衝準鳳兇擊芻別動勞單臥雙變後啟響圍國圖聲處複頭奪宮賓對將盡師帳"
    "簾幫庫應開棄彈歸當驚執拋報擁掛擋撈損換據敵數鬥斬斷無時顯機殺標橋橫殘斃漢沒濟渾點燒牽犧環現盤著磚確"
    "禍離種窮緊紅級練終結繼續緩縛網羅聯勝臉捨節繭荊薦蔭營藍補見計認記評詞誘請讀調談譜敗贊趨車轉輕輔輸邊"
    "過還進連裡針釣鉤鐵鋪鋒錯長門閃悶陣際陳隨順題風飛飲馬馴駒駕騎驥魚鳥鳴鸞鵬黃齒龍龜輪組團體賽論",
)
#: What is not written character by character, as it is after that.
_WORDS = {
    "文件": "檔案",
    "保存": "儲存",
    "打開": "開啟",
    "萬裡": "萬里",
    "移星換鬥": "移星換斗",
    "周游列國": "周遊列國",
}


def traditional(text: str) -> str:
    """The text in traditional characters."""
    text = text.translate(_CHARACTERS)
    for word, right in _WORDS.items():
        text = text.replace(word, right)
    return text


def by_language(english: T, chinese: T) -> dict[str, T]:
    """What is said in "en", "zh" and "zh-Hant", which is made of "zh": texts, or dicts or tuples of texts.

    >>> by_language({"draw": "drawn"}, {"draw": "和局", "win": "胜"})["zh-Hant"]
    {'draw': '和局', 'win': '勝'}
    """
    return {"en": english, "zh": chinese, "zh-Hant": _all_traditional(chinese)}


def _all_traditional(texts: Any) -> Any:
    if isinstance(texts, str):
        return traditional(texts)
    if isinstance(texts, dict):
        return {name: _all_traditional(text) for name, text in texts.items()}
    return tuple(map(_all_traditional, texts))
