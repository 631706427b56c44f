// What went wrong, in the language of the reader. The server sends a code, or what the library says as a pattern and
// the parts that were put into it: ["rank {} has a digit 0", 4]. A part can be such a list.

import { ORDER, TEXTS, texts } from "./texts.js";

// The patterns of positions, moves and records: simplified and traditional Chinese. $1 is the first part.
// prettier-ignore
/** @type {Record<string, [string, string]>} */
export const SAID = {
  "{} has no king": ["$1缺将帅", "$1缺將帥"],
  "{} has {} kings": ["$1有 $2 个将帅", "$1有 $2 個將帥"],
  "a {} {} can never stand on {}": ["$1的$2不能在 $3", "$1的$2不能在 $3"],
  "{} has {} pawns on file {} that have not crossed the river": ["$1在 $3 路有 $2 个未过河的兵卒", "$1在 $3 路有 $2 個未過河的兵卒"],
  "{} has {} {}s, at most {} are possible": ["$1有 $2 个$3，最多 $4 个", "$1有 $2 個$3，最多 $4 個"],
  "{} has {} pieces, at most {} can be played": ["$1有 $2 个棋子，最多 $3 个", "$1有 $2 個棋子，最多 $3 個"],
  "the kings on {} and {} face each other": ["将帅在 $1 与 $2 照面", "將帥在 $1 與 $2 照面"],
  "{}'s king on {} is in check, but it is {}'s move": ["$1的将帅（$2）正被将军，却轮到$3走", "$1的將帥（$2）正被將軍，卻輪到$3走"],
  "the position cannot be played: {}": ["局面不合规则：$1", "局面不合規則：$1"],

  "invalid FEN {!a}: {}": ["$2", "$2"],
  "the board needs 10 ranks separated by '/', not {}": ["棋盘应有 10 条横线，而不是 $1 条", "棋盤應有 10 條橫線，而不是 $1 條"],
  "rank {} has a digit 0": ["第 $1 横线含数字 0", "第 $1 橫線含數字 0"],
  "rank {} has an unknown letter {!a}": ["第 $1 横线有未知字母“$2”", "第 $1 橫線有未知字母「$2」"],
  "rank {} has {} points instead of 9": ["第 $1 横线有 $2 个点，应为 9 个", "第 $1 橫線有 $2 個點，應為 9 個"],
  "it needs at least a board and a side to move": ["缺少棋盘或走棋方", "缺少棋盤或走棋方"],
  "it has {} fields, at most 6 are possible": ["有 $1 个字段，最多 6 个", "有 $1 個欄位，最多 6 個"],
  "moves do not belong to it": ["局面后面不应有着法", "局面後面不應有著法"],
  "the side to move must be 'w' (or 'r') or 'b', not {!a}": ["走棋方应为 w 或 b，而不是“$1”", "走棋方應為 w 或 b，而不是「$1」"],
  "field {} must be '-', not {!a}": ["第 $1 个字段应为 -，而不是“$2”", "第 $1 個欄位應為 -，而不是「$2」"],
  "the {} must be a whole number, not {!a}": ["回合数或未吃子步数“$2”不是整数", "回合數或未吃子步數「$2」不是整數"],
  "the {} must be at most {}": ["回合数或未吃子步数最大为 $2", "回合數或未吃子步數最大為 $2"],
  "the side to move is missing; it is Black's turn, for Black is in check": ["没有写明走棋方；黑方正被将军，按轮到黑方处理", "沒有寫明走棋方；黑方正被將軍，按輪到黑方處理"],
  "the side to move is missing; it is taken to be Red's turn": ["没有写明走棋方，按轮到红方处理", "沒有寫明走棋方，按輪到紅方處理"],
  "{!a} behind the side to move is left out": ["走棋方之后的“$1”已略去", "走棋方之後的「$1」已略去"],
  "a counter above {} is taken for {}": ["计数超过 $1，按 $2 处理", "計數超過 $1，按 $2 處理"],
  "two pieces on one square": ["两个棋子在同一个交叉点上", "兩個棋子在同一個交叉點上"],
  "two pieces come to one square": ["两个棋子在同一个交叉点上", "兩個棋子在同一個交叉點上"],

  "illegal move {} in {}": ["“$1”不是合规的着法", "「$1」不是合規的著法"],
  "illegal move {!r} in {}": ["“$1”不是合规的着法", "「$1」不是合規的著法"],
  "ambiguous move {!r} in {}: it may be {}": ["“$1”可能是 $3，无法确定", "「$1」可能是 $3，無法確定"],
  "cannot pass while in check in {}": ["被将军时不能停着", "被將軍時不能停著"],
  "invalid move {!r}: it must leave its square": ["“$1”没有离开原来的点", "「$1」沒有離開原來的點"],
  "invalid move {!r}: {!r} is not a square (a0 to i9)": ["“$1”不是着法：没有 $2 这个点", "「$1」不是著法：沒有 $2 這個點"],
  "invalid move {!r}: expected four characters like 'h2e2'": ["“$1”不是着法", "「$1」不是著法"],
  "invalid move {!r}: expected two squares (a1 to i10) like 'h3e3'": ["“$1”不是着法", "「$1」不是著法"],
  "invalid move {!r}: expected a text such as 'Che2' or 'Rxd7+'": ["“$1”不是着法", "「$1」不是著法"],
  "invalid move {!r}: expected a text such as 'P2-5' or 'M8.7'": ["“$1”不是着法", "「$1」不是著法"],
  "invalid move {!r}: expected four characters like 'C2.5'": ["“$1”不是着法", "「$1」不是著法"],
  "invalid move {!r}: expected four characters like '炮二平五'": ["“$1”不是着法", "「$1」不是著法"],
  "invalid move {!r}: {!r} is not a piece and its place": ["“$1”不是着法：“$2”不是棋子和位置", "「$1」不是著法：「$2」不是棋子和位置"],
  "a pass in {}": ["无法记录停着", "無法記錄停著"],
  "the format cannot hold a pass": ["此格式无法记录停着", "此格式無法記錄停著"],
  "DhtmlXQ cannot hold a pass": ["此格式无法记录停着", "此格式無法記錄停著"],
  "too many pieces of kind {} for this format": ["此格式容不下这么多“$1”", "此格式容不下這麼多「$1」"],

  "{} cannot hold the move counters of the start position": ["$1 不能保存初始局面的步数", "$1 不能儲存初始局面的步數"],
  "{} holds no variations: {} left out": ["$1 不能保存变化：略去 $2 个", "$1 不能儲存變化：略去 $2 個"],
  "{} holds no comments: those of {} nodes left out": ["$1 不能保存注解和标记：略去 $2 处", "$1 不能儲存註解和標記：略去 $2 處"],
  "{} has no header {}": ["$1 没有信息项“$2”，已略去", "$1 沒有資訊項「$2」，已略去"],
  "{} cannot hold a header named {!r}": ["$1 没有信息项“$2”，已略去", "$1 沒有資訊項「$2」，已略去"],
  "header {}: only {} characters are kept": ["信息项“$1”只保留前 $2 个字", "資訊項「$1」只保留前 $2 個字"],
  "header {}: only {} bytes are kept": ["信息项“$1”只保留前 $2 个字节", "資訊項「$1」只保留前 $2 個位元組"],
  "zero characters become spaces": ["零字符变为空格", "零字元變為空格"],
  "brackets in {} become full-width": ["“$1”中的方括号变为全角", "「$1」中的方括號變為全形"],
  "a semicolon in the header {} becomes a comma": ["信息项“$1”中的分号变为逗号", "資訊項「$1」中的分號變為逗號"],
  "{}; the rest is not read": ["$1，其后未读", "$1，其後未讀"],
  "{}; the rest of the line is not read": ["$1，该行其余未读", "$1，該行其餘未讀"],
  "{}; it and what follows it are left out": ["$1，此着及其后已略去", "$1，此著及其後已略去"],
  "ply {}: {}; it and what follows it are left out": ["第 $1 着：$2，此着及其后已略去", "第 $1 著：$2，此著及其後已略去"],
  "start position: {}; its moves are not read": ["初始局面：$1，着法未读", "初始局面：$1，著法未讀"],
  "binit: {}; the moves are not read": ["初始局面：$1，着法未读", "初始局面：$1，著法未讀"],
  "{}: {}; the moves are not read": ["初始局面：$2，着法未读", "初始局面：$2，著法未讀"],
  "{}: {}": ["初始局面：$2", "初始局面：$2"],

  "no move of a game is in this text": ["文本中没有着法", "文字中沒有著法"],
  "no game": ["其中没有棋谱", "其中沒有棋譜"],
  "{!r} is no move; the rest is not read": ["“$1”不是着法，其后未读", "「$1」不是著法，其後未讀"],
  "{}: {!r} at ply {} is no move": ["第 $3 着“$2”不是着法", "第 $3 著「$2」不是著法"],
  "move number {} where {} is expected": ["回合数是 $1，应为 $2", "回合數是 $1，應為 $2"],
  "the moves begin with one of Black's, but it is Red's turn": ["着法从黑方开始，而局面轮到红方", "著法從黑方開始，而局面輪到紅方"],
  "a position behind the start of the game is not used": ["棋局开始之后的局面未使用", "棋局開始之後的局面未使用"],
  "no game of xiangqi is in this web page": ["网页中没有棋谱", "網頁中沒有棋譜"],
  "the result {} of the headers is kept, not {}": ["标签中的结果是 $1，着法之后是 $2，保留前者", "標籤中的結果是 $1，著法之後是 $2，保留前者"],
  "\ufffd stands for bytes that are no character": ["“\ufffd”代替了无法解码的字节", "「\ufffd」代替了無法解碼的位元組"],
  "text that is no move is left out: {!r}": ["已略去不是着法的文字“$1”", "已略去不是著法的文字「$1」"],
  "move {} stands in a line with other text and is not read": ["着法“$1”与其他文字在同一行，未读", "著法「$1」與其他文字在同一行，未讀"],
  "move {} stands in a line with other text; the rest is not read": ["着法“$1”与其他文字在同一行，其后未读", "著法「$1」與其他文字在同一行，其後未讀"],
  "no move from {} to {}: the moves from here on are not read": ["从 $1 到 $2 不是着法，其后未读", "從 $1 到 $2 不是著法，其後未讀"],
  "{!r} after the end of the game is not read": ["棋局结束后的“$1”未读", "棋局結束後的「$1」未讀"],
  "moves after the end of the main line are not read": ["主线结束后的着法未读", "主線結束後的著法未讀"],
  "a comment that is not closed": ["注解没有写完", "註解沒有寫完"],
  "a parenthesis that is not closed": ["括号没有闭合", "括號沒有閉合"],
  "a closing brace too many": ["多了一个右括号", "多了一個右括號"],
  "a closing parenthesis too many": ["多了一个右括号", "多了一個右括號"],
  "a second game, which is not read": ["后面还有一盘棋，没有读入", "後面還有一盤棋，沒有讀入"],
  "not a header: {!r}": ["“$1”不是标签", "「$1」不是標籤"],
  "another header {}: the last one is kept": ["标签 $1 重复，保留最后一个", "標籤 $1 重複，保留最後一個"],
  "a second header {}: the first one is kept": ["标签 $1 重复，保留第一个", "標籤 $1 重複，保留第一個"],
  "unknown result {!r}": ["未知的结果“$1”", "未知的結果「$1」"],
  "unknown result {}": ["未知的结果“$1”", "未知的結果「$1」"],
  "a second line {} is not read": ["变着 $1 重复，未读", "變著 $1 重複，未讀"],
  "line {} leaves line {} at ply {}, which is not there": ["变着 $1 的起点不存在，未读", "變著 $1 的起點不存在，未讀"],
  "lines that leave line {}, which is not there, are not read": ["变着 $1 不存在，从它分出的变着未读", "變著 $1 不存在，從它分出的變著未讀"],
  "a comment on {}, which is not there: {!r}": ["注解所指的着法不存在：“$2”", "註解所指的著法不存在：「$2」"],
  "{}; it is a comment": ["$1，已作为注释保留", "$1，已作為註解保留"],
  "{}; the operations are a comment": ["$1，其余内容已作为注释保留", "$1，其餘內容已作為註解保留"],
  "a variation that cannot be played is kept as a comment": ["无法走出的变着已作为注释保留", "無法走出的變著已作為註解保留"],
  "the moves begin with one of Black's": ["着法由黑方先走", "著法由黑方先走"],
  "{}: {} moves first": ["$1：先走的是 $2", "$1：先走的是 $2"],
  "{!r} is written as a move of Black's, but it is Red's turn": ["“$1”写的是黑方的着法，但轮到红方走", "「$1」寫的是黑方的著法，但輪到紅方走"],
  "{!r} is written as a move of Red's, but it is Black's turn": ["“$1”写的是红方的着法，但轮到黑方走", "「$1」寫的是紅方的著法，但輪到黑方走"],
  "more than {:,} headers: the rest is not read": ["棋局信息超过 $1 项，其余未读", "棋局資訊超過 $1 項，其餘未讀"],
  "more than {:,} words: the rest is not read": ["棋谱超过 $1 个词，其余未读", "棋譜超過 $1 個詞，其餘未讀"],
  "a game of more than {:,} headers is not read": ["棋局信息超过 $1 项的棋局未读", "棋局資訊超過 $1 項的棋局未讀"],
  "text after the end of the game is not read: {!r}": ["棋局结束之后的“$1”未读", "棋局結束之後的「$1」未讀"],
  "the encoding of the texts is a guess: {}": ["文字编码是推测的：$1", "文字編碼是推測的：$1"],
  "the file ends before the moves do": ["文件不完整，着法未读完", "檔案不完整，著法未讀完"],
  "a square off the board": ["有的交叉点不在棋盘上", "有的交叉點不在棋盤上"],
  "a square off the board: the moves from here on are not read": ["有的交叉点不在棋盘上，其后未读", "有的交叉點不在棋盤上，其後未讀"],
  "unknown flags {:#04x}: the moves from here on are not read": ["有未知的标记，其后未读", "有未知的標記，其後未讀"],
  "a comment of {} bytes, but the file has {} more": ["注解超出文件", "註解超出檔案"],
  "a comment of {} bytes, but the record has {} more": ["注解超出文件", "註解超出檔案"],
  "the sum of the keys is wrong: the file may be damaged": ["校验和不符，文件可能已损坏", "檢查碼不符，檔案可能已損壞"],
  "the packed file is damaged: {}": ["压缩文件已损坏", "壓縮檔案已損壞"],
  "a packed file of more than {} MiB is not read": ["压缩文件的内容超过 $1 MiB，不予读取", "壓縮檔案的內容超過 $1 MiB，不予讀取"],
  "the file is packed by zstd, which Python reads from 3.14 on: unpack it first": ["zstd 压缩的文件请先解压", "zstd 壓縮的檔案請先解壓"],

  "this is a packed CBL, which is not read: save the library unpacked in CCBridge": ["这是压缩的 CBL，请在象棋桥中另存为未压缩的文件", "這是壓縮的 CBL，請在象棋橋中另存為未壓縮的檔案"],
  "this is an SQLite database, perhaps an opening book: see eleengine book": ["这是 SQLite 数据库，可能是开局库", "這是 SQLite 資料庫，可能是開局庫"],
  "this is a ZIP archive: unpack it first": ["这是 ZIP 压缩文件，请先解压", "這是 ZIP 壓縮檔，請先解壓"],
  "this is a RAR archive: unpack it first": ["这是 RAR 压缩文件，请先解压", "這是 RAR 壓縮檔，請先解壓"],
  "this is a 7-Zip archive: unpack it first": ["这是 7-Zip 压缩文件，请先解压", "這是 7-Zip 壓縮檔，請先解壓"],
  "this is a PDF document": ["这是 PDF 文件", "這是 PDF 檔案"],
  "this is a picture": ["这是图片", "這是圖片"],
  "a binary file of no known format: those are {}": ["无法识别的文件格式", "無法識別的檔案格式"],
  "the format {} is not read": ["不支持 $1 格式", "不支援 $1 格式"],
  "DHJHtmlXQ (广东象棋网) is not read": ["不支持广东象棋网的 DHJHtmlXQ", "不支援廣東象棋網的 DHJHtmlXQ"],
  "XQF version {} is not known: the last one is {}": ["XQF 版本 $1 未知", "XQF 版本 $1 未知"],
  "CBR version {} is not read, only version 2": ["不支持 CBR 版本 $1，只支持版本 2", "不支援 CBR 版本 $1，只支援版本 2"],
  "a game of more than {} MiB is not read": ["一盘棋不能超过 $1 MiB", "一盤棋不能超過 $1 MiB"],
  "a game of more than {:,} lines is not read": ["一盘棋不能超过 $1 行", "一盤棋不能超過 $1 行"],
  "a {} file of more than {} MiB is not read": ["文件不能超过 $2 MiB", "檔案不能超過 $2 MiB"],
  "more than {:,} moves": ["超过 $1 着", "超過 $1 著"],
  "more than {:,} moves: they are not read": ["超过 $1 着，其后未读", "超過 $1 著，其後未讀"],
  "XML of more than {:,} elements is not read": ["XML 不能超过 $1 个元素", "XML 不能超過 $1 個元素"],
  "the index cannot have {} entries": ["文件已损坏：目录不可能有 $1 项", "檔案已損壞：目錄不可能有 $1 項"],
  "XML: {}": ["XML 有误", "XML 有誤"],
  "header {}: what stands behind a zero character is not read": ["棋局信息 $1：零字符后面的内容未读", "棋局資訊 $1：零字元後面的內容未讀"],
  "zero characters at the ends of comments are left out": ["注解末尾的零字符已略去", "註解末尾的零字元已略去"],
  "{:#04x} is no piece": ["$1 不是棋子", "$1 不是棋子"],
  "text of {} is not read: {!r}": ["$1 中的文字未读：“$2”", "$1 中的文字未讀：「$2」"],
  "attributes of {} are not read: {}": ["$1 的属性未读：$2", "$1 的屬性未讀：$2"],
  "the format {!r} is read as WXF": ["格式“$1”按 WXF 读取", "格式「$1」按 WXF 讀取"],
  "XML with entities of its own is not read": ["不支持自定义实体的 XML", "不支援自訂實體的 XML"],
  "no tag of DhtmlXQ": ["没有 DhtmlXQ 标签", "沒有 DhtmlXQ 標籤"],
  "not a WXF file: START{ is missing": ["不是 WXF 文件：缺少 START{", "不是 WXF 檔案：缺少 START{"],
  "}END is missing": ["缺少 }END", "缺少 }END"],
  "the text 'Ends' is missing": ["缺少“Ends”，文件可能不完整", "缺少「Ends」，檔案可能不完整"],
  "a CBL file has at least {} bytes, but here are {}": ["CBL 文件不完整", "CBL 檔案不完整"],
  "a CBR record has at least {} bytes, but here are {}": ["CBR 文件不完整", "CBR 檔案不完整"],
  "not a CBL file: it must begin with {!r}": ["不是 CBL 文件", "不是 CBL 檔案"],
  "not a CBR record: it must begin with {!r}": ["不是 CBR 文件", "不是 CBR 檔案"],
  "not a CCM file: {} bytes for each move are expected, the first of them 1": ["不是 CCM 文件", "不是 CCM 檔案"],
  "not a CHE file: 1, the number of moves and 10 numbers for each are expected": ["不是 CHE 文件", "不是 CHE 檔案"],
  "not a CHE file: only whole numbers are expected": ["不是 CHE 文件", "不是 CHE 檔案"],
  "not a CHN file: {} bytes and {} for each move are expected": ["不是 CHN 文件", "不是 CHN 檔案"],
  "not an MXQ file: the text 'Moves' is expected after eleven others": ["不是 MXQ 文件", "不是 MXQ 檔案"],
  "not an XQF file: it must begin with 'XQ' and have a header of 1,024 bytes": ["不是 XQF 文件", "不是 XQF 檔案"],
};

// In English the pattern itself, but never a position as a FEN: the board shows it
/** @type {Record<string, string>} */
const ENGLISH = {
  "invalid FEN {!a}: {}": "$2",
  "illegal move {} in {}": "$1 is not a legal move",
  "illegal move {!r} in {}": "“$1” is not a legal move",
  "ambiguous move {!r} in {}: it may be {}": "“$1” may be $3",
  "cannot pass while in check in {}": "a pass in check",
  "a pass in {}": "a pass",
  "this is an SQLite database, perhaps an opening book: see eleengine book": "this is an SQLite database, perhaps an opening book",
};

/** @type {Record<string, [string, string]>} Parts that are words of ours */
const WORDS = { king: ["将帅", "將帥"], advisor: ["士", "士"], bishop: ["象", "象"], knight: ["马", "馬"], rook: ["车", "車"], cannon: ["炮", "炮"], pawn: ["兵卒", "兵卒"], red: ["红方", "紅方"], black: ["黑方", "黑方"] };

/**
 * @param {number} n of the language
 * @param {unknown} part
 */
const word = (n, part) => (n ? WORDS[String(part)]?.[n - 1] : null) ?? String(part);

/** @typedef {import("./state.js").Language} Language */
/** @typedef {import("./state.js").Said} Said */

// What the library says
/** @param {Language} language @param {Said} message @returns {string} */
export function said(language, message) {
  const [pattern, ...parts] = message;
  const n = ORDER.indexOf(language);
  const values = parts.map((part) => (Array.isArray(part) ? said(language, /** @type {Said} */ (part)) : word(n, part)));
  const text = n ? SAID[pattern]?.[n - 1] : ENGLISH[pattern];
  if (text !== undefined) return text.replace(/\$(\d)/g, (_, i) => values[i - 1] ?? "");
  if (n) return ["内容有误", "內容有誤"][n - 1];
  return values.length ? pattern.replace(/\{(.*?)\}/g, (_, how) => (how.startsWith("!") ? `“${values.shift()}”` : values.shift() ?? "")) : pattern;
}

// The same as a sentence
/** @param {Language} language @param {Said} defect */
export function defectText(language, defect) {
  const text = said(language, defect);
  return language === "en" ? `${text[0].toUpperCase()}${text.slice(1)}.` : `${text}。`;
}

// What is wrong with a file, and where
/** @param {Language} language @param {import("./state.js").Warning} warning */
export const recordProblem = (language, { reason, line, game }) => (game ? texts(language, "atGame", [game]) : "") + (line ? texts(language, "atLine", [line]) : "") + said(language, reason);

// An error of the server
/** @param {Language} language @param {import("./state.js").Failure} failure */
export function problem(language, { code, message, defects, reason, line, move }) {
  let text = defects?.[0] ? defectText(language, defects[0][1]) : message;
  if (move !== undefined) text = move;
  if (reason) text = recordProblem(language, { reason, line });
  return texts(language, TEXTS[`error_${code}`] ? `error_${code}` : "error_refused", [text ?? ""]);
}
