// What went wrong, in the language of the reader: the server and the library say it in English.

import { ORDER, TEXTS, texts } from "./texts.js";

// What is wrong with a position
/** @type {[RegExp, string, string][]} */
const DEFECTS = [
  [/^(red|black) has no king$/, "$1缺将帅", "$1缺將帥"],
  [/^(red|black) has (\d+) kings$/, "$1有 $2 个将帅", "$1有 $2 個將帥"],
  [/^a (red|black) (\w+) can never stand on (\w\d)$/, "$1的$2不能在 $3", "$1的$2不能在 $3"],
  [/^(red|black) has (\d+) pawns on file (\w) that have not crossed the river$/, "$1在 $3 路有 $2 个未过河的兵卒", "$1在 $3 路有 $2 個未過河的兵卒"],
  [/^(red|black) has (\d+) (\w+)s, at most (\d+) are possible$/, "$1有 $2 个$3，最多 $4 个", "$1有 $2 個$3，最多 $4 個"],
  [/^(red|black) has (\d+) pieces, at most (\d+) can be played$/, "$1有 $2 个棋子，最多 $3 个", "$1有 $2 個棋子，最多 $3 個"],
  [/^the kings on (\w\d) and (\w\d) face each other$/, "将帅在 $1 与 $2 照面", "將帥在 $1 與 $2 照面"],
  [/^(red|black)'s king on (\w\d) is in check, but it is (red|black)'s move$/, "$1的将帅（$2）正被将军，却轮到$3走", "$1的將帥（$2）正被將軍，卻輪到$3走"],
];
const KINDS = { king: ["将帅", "將帥"], advisor: ["士", "士"], bishop: ["象", "象"], knight: ["马", "馬"], rook: ["车", "車"], cannon: ["炮", "炮"], pawn: ["兵卒", "兵卒"], red: ["红方", "紅方"], black: ["黑方", "黑方"] };

export function defectText(language, english) {
  if (language === "en") return english[0].toUpperCase() + english.slice(1) + ".";
  const n = ORDER.indexOf(language);
  for (const [pattern, ...translated] of DEFECTS) {
    const found = english.match(pattern);
    if (found) return translated[n - 1].replace(/\$(\d)/g, (_, i) => KINDS[found[i]]?.[n - 1] ?? found[i]) + "。";
  }
  return `${reasonText(language, english)}。`;
}

// What is wrong with a FEN or a file, as the readers say it; $1 is what the pattern has caught.
// prettier-ignore
/** @type {[RegExp, string, string][]} */
const REASONS = [
  [/^no move of a game is in this text$/, "文本中没有着法", "文本中沒有著法"],
  [/^(?:ply \d+: |.*?: )?(?:invalid|illegal) move '?(.*?)'?(?: in |:|;|$)/, "“$1”不是合规的着法", "「$1」不是合規的著法"],
  [/^(?:.*?: )?'(.*)'(?: at ply .*)? is no move/, "“$1”不是着法", "「$1」不是著法"],
  [/^text that is no move is left out: '(.*)'$/, "已略去不是着法的文字“$1”", "已略去不是著法的文字「$1」"],
  [/^move '?(.*?)'? stands in a line with other text/, "着法“$1”与其他文字在同一行，未读", "著法「$1」與其他文字在同一行，未讀"],
  [/^no move from (.*?) to (.*?):/, "$1 到 $2 无法走子，其后未读", "$1 到 $2 無法走子，其後未讀"],
  [/a pass(?: in|$|;)/, "无法记录“停一着”", "無法記錄「停一著」"],
  [/^no game/, "其中没有棋局", "其中沒有棋局"],
  [/^rank (\d) has (\d+) points instead of 9/, "第 $1 横线有 $2 个点，应为 9 个", "第 $1 橫線有 $2 個點，應為 9 個"],
  [/^rank (\d) has a digit 0/, "第 $1 横线含数字 0", "第 $1 橫線含數字 0"],
  [/^rank (\d) has an unknown letter '?(.*?)'?$/, "第 $1 横线有未知字母“$2”", "第 $1 橫線有未知字母「$2」"],
  [/^(?:the board|it) .*(?:ranks|rows)/, "棋盘应有 10 条横线", "棋盤應有 10 條橫線"],
  [/^it needs at least a board and a side to move/, "缺少棋盘或走棋方", "缺少棋盤或走棋方"],
  [/^it has (\d+) fields/, "有 $1 个字段，最多 6 个", "有 $1 個欄位，最多 6 個"],
  [/^moves do not belong to it/, "局面后面不应有着法", "局面後面不應有著法"],
  [/^the side to move must be .* not '?(.*?)'?$/, "走棋方应为 w 或 b，而不是“$1”", "走棋方應為 w 或 b，而不是「$1」"],
  [/^field (\d) must be/, "第 $1 个字段应为 -", "第 $1 個欄位應為 -"],
  [/^the .* must be (?:a whole number|at most)/, "回合数或未吃子步数有误", "回合數或未吃子步數有誤"],
  [/^the side to move is missing; it is Black's turn/, "没有写明走棋方；黑方正被将军，按轮到黑方处理", "沒有寫明走棋方；黑方正被將軍，按輪到黑方處理"],
  [/^the side to move is missing/, "没有写明走棋方，按轮到红方处理", "沒有寫明走棋方，按輪到紅方處理"],
  [/^'?(.*?)'? behind the side to move is left out$/, "走棋方之后的“$1”已略去", "走棋方之後的「$1」已略去"],
  [/^a counter above (\d+) is taken/, "计数超过 $1，按 $1 处理", "計數超過 $1，按 $1 處理"],
  [/^two pieces on one square/, "两个棋子在同一点上", "兩個棋子在同一點上"],
  [/^a square off the board/, "有点不在棋盘上", "有點不在棋盤上"],
  [/^the file ends before the moves do/, "文件不完整，着法未读完", "檔案不完整，著法未讀完"],
  [/^a (?:parenthesis|comment) that is not closed/, "括号或评注没有结束", "括號或評註沒有結束"],
  [/^a closing (?:parenthesis|brace) too many/, "多了一个右括号", "多了一個右括號"],
  [/^a second game, which is not read/, "后面还有一盘棋，没有读入", "後面還有一盤棋，沒有讀入"],
  [/^unknown result '?(.*?)'?$/, "未知的结果“$1”", "未知的結果「$1」"],
  [/^not a header: '?(.*?)'?$/, "“$1”不是标签", "「$1」不是標籤"],
  [/^a second header (.*?):/, "标签 $1 重复，保留第一个", "標籤 $1 重複，保留第一個"],
  [/^a second line (\d+) is not read/, "变着 $1 重复，未读", "變著 $1 重複，未讀"],
  [/^lines? (?:that leave|\d+ leaves) /, "变着的起点不存在，未读", "變著的起點不存在，未讀"],
  [/^moves? after the end of the main line/, "主线结束后的着法未读", "主線結束後的著法未讀"],
  [/after the end of the game is not read$/, "棋局结束后的内容未读", "棋局結束後的內容未讀"],
  [/^a comment of .* bytes/, "评注超出文件", "評註超出檔案"],
  [/^a comment on /, "评注所指的着法不存在", "評註所指的著法不存在"],
  [/^the operation '?(.*?)'? is not read/, "“$1”未读", "「$1」未讀"],
  [/^the encoding of the texts is a guess: (.*)$/, "文字编码是推测的：$1", "文字編碼是推測的：$1"],
  [/^the sum of the keys is wrong/, "校验和不符，文件可能已损坏", "校驗和不符，檔案可能已損壞"],
  [/^the packed file is damaged/, "压缩文件已损坏", "壓縮檔案已損壞"],
  [/^the file is packed by zstd/, "zstd 压缩的文件请先解压", "zstd 壓縮的檔案請先解壓"],
  [/^a binary file of no known format/, "无法识别的文件格式", "無法識別的檔案格式"],
  [/^this is a packed CBL/, "这是压缩的 CBL，请在象棋桥中另存为未压缩的文件", "這是壓縮的 CBL，請在象棋橋中另存為未壓縮的檔案"],
  [/^this is an SQLite/, "这是 SQLite 数据库，可能是开局库", "這是 SQLite 資料庫，可能是開局庫"],
  [/^this is a (ZIP|RAR|7-Zip) archive/, "这是 $1 压缩包，请先解压", "這是 $1 壓縮檔，請先解壓"],
  [/^this is a picture/, "这是图片", "這是圖片"],
  [/^(?:this is|the format|DHJHtmlXQ|XQF version|CBR version|unknown flags) ?/, "不支持这种文件", "不支援這種檔案"],
  [/(?:more than .*|entries)(?: is not read| moves?.*)?$/, "内容太大", "內容太大"],
  [/^(?:not an? |no tag of|an? \w+ (?:file|record) has at least|XML|the index|the text 'Ends'|\}END)/, "文件已损坏或格式不符", "檔案已損壞或格式不符"],
  [/encoding/, "无法识别文字编码", "無法識別文字編碼"],
];

const fill = (text, values) => text.replace(/\$(\d)/g, (_, n) => values[n] ?? "");

// The start position of a record, and what follows if it is wrong
const START = /^(?:header FEN|FEN|fen|position): (.*?)(; the moves are not read)?$/;

export function reasonText(language, reason) {
  const n = ORDER.indexOf(language);
  if (!n) return reason;
  const start = reason.match(START);
  if (start) return ["初始局面：", "初始局面："][n - 1] + reasonText(language, start[1]) + (start[2] ? ["，着法未读", "，著法未讀"][n - 1] : "");
  if (DEFECTS.some(([pattern]) => pattern.test(reason))) return defectText(language, reason).replace(/。$/, "");
  for (const [pattern, ...translated] of REASONS) {
    const found = reason.match(pattern);
    if (found) return fill(translated[n - 1], found);
  }
  return ["内容有误", "內容有誤"][n - 1];
}

// What is wrong with a file, and where
export const recordProblem = (language, { reason, line }) => (line ? texts(language, "atLine", [line]) : "") + reasonText(language, reason);

// An error of the server
export function problem(language, { code, message, defects, reason, line, move }) {
  let text = defects ? defectText(language, defects[0][1]) : message;
  if (move !== undefined) text = move;
  if (reason) text = recordProblem(language, { reason, line });
  return texts(language, TEXTS[`error_${code}`] ? `error_${code}` : "error_refused", [text ?? ""]);
}
