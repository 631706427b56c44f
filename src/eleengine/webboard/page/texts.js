// What the page says, in three languages; what the server says in English is put into the other two here.

export const LANGUAGES = { "zh-Hans": "简体中文", "zh-Hant": "繁體中文", en: "English" };

const ORDER = ["en", "zh-Hans", "zh-Hant"];

// prettier-ignore
export const TEXTS = {
  tools: ["Tools", "工具", "工具"],
  panels: ["Panels", "面板", "面板"],
  board: ["Board", "棋盘", "棋盤"],
  navigation: ["Navigation", "浏览", "瀏覽"],
  newGame: ["New game", "新对局", "新對局"],
  open: ["Open", "打开", "打開"],
  save: ["Save", "保存", "保存"],
  edit: ["Set up", "摆棋", "擺棋"],
  puzzles: ["Puzzles", "残局", "殘局"],
  settings: ["Settings", "设置", "設置"],
  phone: ["On the phone", "在手机上", "在手機上"],
  qrCode: ["QR code of the address", "网址二维码", "網址 QR 碼"],
  address: ["Address", "网址", "網址"],
  phoneHelp: ["Scan this with a phone in the same network: it opens the board with your games.", "用同一网络中的手机扫码，即可打开棋盘和您的棋局。", "用同一網路中的手機掃碼，即可打開棋盤和您的棋局。"],
  phoneWarning: ["The connection is not encrypted: whoever is in this network can read along, and who has the address can use the board. Use it at home, not in a public network.", "连接未加密：同一网络中的人可以看到内容，得到网址的人可以使用棋盘。请在家中使用，不要用于公共网络。", "連線未加密：同一網路中的人可以看到內容，得到網址的人可以使用棋盤。請在家中使用，不要用於公共網路。"],
  help: ["Keys", "按键", "按鍵"],
  first: ["To the start", "回到开局", "回到開局"],
  previous: ["Back", "后退", "後退"],
  next: ["Forward", "前进", "前進"],
  last: ["To the end", "到末尾", "到末尾"],
  flip: ["Flip the board", "翻转棋盘", "翻轉棋盤"],
  hint: ["Hint", "提示", "提示"],
  close: ["Close", "关闭", "關閉"],
  cancel: ["Cancel", "取消", "取消"],
  yes: ["Yes", "是", "是"],
  no: ["No", "否", "否"],
  really: ["Are you sure?", "确定吗？", "確定嗎？"],
  red: ["Red", "红方", "紅方"],
  black: ["Black", "黑方", "黑方"],
  you: ["You", "您", "您"],
  level: ["level", "级别", "級別"],
  preview: ["Preview +$1", "预览 +$1", "預覽 +$1"],
  check: ["Check", "将军", "將軍"],
  redToMove: ["Red to move", "轮到红方", "輪到紅方"],
  blackToMove: ["Black to move", "轮到黑方", "輪到黑方"],
  yourTurn: ["Your turn", "轮到您走", "輪到您走"],
  thinking: ["The engine is thinking …", "引擎思考中……", "引擎思考中……"],
  thinkingOf: ["$1 is thinking …", "$1 思考中……", "$1 思考中……"],
  paused: ["Paused", "已暂停", "已暫停"],
  resume: ["Go on", "继续", "繼續"],
  pause: ["Pause", "暂停", "暫停"],
  lookingBack: ["You are looking back", "正在回看", "正在回看"],
  backToGame: ["Back to the game", "回到对局", "回到對局"],
  takeBack: ["Take back", "悔棋", "悔棋"],
  offerDraw: ["Offer draw", "提和", "提和"],
  resign: ["Resign", "认输", "認輸"],
  endGame: ["Stop", "结束", "結束"],
  reallyResign: ["Resign this game?", "确定认输？", "確定認輸？"],
  reallyEnd: ["Stop this game without a result? The moves stay.", "不分胜负就结束对局？着法会保留。", "不分勝負就結束對局？著法會保留。"],
  reallyDelete: ["Delete this game for good?", "永久删除这盘棋？", "永久刪除這盤棋？"],
  drawAccepted: ["The draw is agreed.", "和棋成立。", "和棋成立。"],
  drawDeclined: ["The engine plays on.", "引擎不同意和棋。", "引擎不同意和棋。"],
  review: ["Review the game", "复盘", "復盤"],
  reviewAgain: ["Review again", "重新复盘", "重新復盤"],
  reviewing: ["Reviewing: $1 of $2 moves", "复盘中：$1 / $2 着", "復盤中：$1 / $2 著"],
  reviewPage: ["As a page", "导出网页", "導出網頁"],
  perMove: ["per move", "每着", "每著"],
  accuracy: ["Accuracy", "准确度", "準確度"],
  inaccuracies: ["Inaccuracies", "不精确", "不精確"],
  mistakes: ["Mistakes", "失误", "失誤"],
  blunders: ["Blunders", "大错", "大錯"],
  nextMistake: ["Next mistake", "下一个失误", "下一個失誤"],
  previousMistake: ["Mistake before", "上一个失误", "上一個失誤"],
  learn: ["Find the better move", "找更好的着法", "找更好的著法"],
  noMistakes: ["There are no mistakes to learn from.", "没有可供练习的失误。", "沒有可供練習的失誤。"],
  playedInstead: ["$1 to move; $2 was played. Find a better move.", "轮到$1，实战走了 $2。请找出更好的着法。", "輪到$1，實戰走了 $2。請找出更好的著法。"],
  judging: ["Looking at your move …", "正在判断……", "正在判斷……"],
  learnt: ["$2 of $1 found, $3 with help.", "共 $1 题：自己找到 $2 题，看答案 $3 题。", "共 $1 題：自己找到 $2 題，看答案 $3 題。"],
  iPlayed: ["I played", "我执", "我執"],
  both: ["both sides", "双方", "雙方"],
  moreReview: ["More about the review", "复盘选项", "復盤選項"],
  moreMoves: ["Change this move", "调整着法", "調整著法"],
  movesTab: ["Moves", "着法", "著法"],
  bookTab: ["Book", "开局库", "開局庫"],
  bookMove: ["Move", "着法", "著法"],
  bookGames: ["Games", "局数", "局數"],
  bookShare: ["Share", "占比", "佔比"],
  bookPoints: ["Points", "得分率", "得分率"],
  bookEmpty: ["The book has no move here.", "开局库中没有着法。", "開局庫中沒有著法。"],
  good: ["Right, that is good.", "对，这着好。", "對，這著好。"],
  notBetter: ["Not better. Try another one.", "这着不好，再试试。", "這著不好，再試試。"],
  betterWas: ["This was better.", "这样更好。", "這樣更好。"],
  show: ["Show it", "看答案", "看答案"],
  nextOne: ["Next one", "下一题", "下一題"],
  finish: ["Finish", "结束", "結束"],
  mateIn: ["$1 wins in $2 moves. Find the way.", "$1先行，$2 步杀。", "$1先行，$2 步殺。"],
  findBest: ["$1 to move. Find the best move.", "$1先行，请找出最好的着法。", "$1先行，請找出最好的著法。"],
  findDraw: ["$1 to move. Save the draw.", "$1先行求和。", "$1先行求和。"],
  solved: ["Solved!", "解出来了！", "解出來了！"],
  shown: ["The solution is in the moves.", "答案在着法栏里。", "答案在著法欄裡。"],
  tries: ["wrong moves: $1", "走错 $1 次", "走錯 $1 次"],
  solution: ["Solution", "答案", "答案"],
  again: ["Again", "重来", "重來"],
  endings: ["Endings against perfect play", "实用残局：对完美应着", "實用殘局：對完美應著"],
  winIt: ["You are Red. Win against the best defence.", "您执红先行，对手应着完美，请取胜。", "您執紅先行，對手應著完美，請取勝。"],
  holdIt: ["You are Red. Hold the draw for 15 moves.", "您执红先行，请守和 15 回合。", "您執紅先行，請守和 15 回合。"],
  nextPosition: ["Another position", "换一个局面", "換一個局面"],
  solvedTimes: ["solved without a mistake: $1", "无误解出 $1 次", "無誤解出 $1 次"],
  "error_no-table": ["This ending needs a table: $1", "这个残局需要残局库：$1", "這個殘局需要殘局庫：$1"],
  nextPuzzle: ["Next puzzle", "下一个", "下一個"],
  mateMoves: ["$1 moves", "$1 步", "$1 步"],
  draw: ["draw", "求和", "求和"],
  bestMove: ["best move", "最佳着法", "最佳著法"],
  wrong: ["Not this one. Try again.", "不对，再想想。", "不對，再想想。"],
  right: ["Right. Go on.", "对，继续。", "對，繼續。"],
  noHint: ["Nothing is known here: go back to the solution's way.", "这里没有提示：请退回正解的路线。", "這裡沒有提示：請退回正解的路線。"],
  hintIs: ["Hint: $1", "提示：$1", "提示：$1"],
  engine: ["Engine", "引擎", "引擎"],
  engines: ["Engine against engine", "引擎对引擎", "引擎對引擎"],
  engineSettings: ["Engine settings", "引擎设置", "引擎設置"],
  lines: ["Lines", "路数", "路數"],
  threads: ["Threads", "线程", "線程"],
  hash: ["Table", "置换表", "置換表"],
  showArrows: ["Arrows for the best moves", "用箭头标出最佳着法", "用箭頭標出最佳著法"],
  depth: ["depth", "深度", "深度"],
  playLine: ["Play this move", "走这一着", "走這一著"],
  unfold: ["The whole line", "展开变着", "展開變著"],
  noLines: ["There are no lines.", "没有分析结果。", "沒有分析結果。"],
  book: ["Opening book", "开局库", "開局庫"],
  score: ["Score", "评分", "評分"],
  graph: ["Red's winning chances over the game", "全局红方胜率曲线", "全局紅方勝率曲線"],
  redWins: ["Red", "红", "紅"],
  blackWins: ["Black", "黑", "黑"],
  noMoves: ["No moves yet. Play on the board, or open a game.", "还没有着法。在棋盘上走棋，或打开棋谱。", "還沒有著法。在棋盤上走棋，或打開棋譜。"],
  typeMove: ["Type a move: 炮二平五, C2.5, h2e2", "输入着法：炮二平五、C2.5、h2e2", "輸入著法：炮二平五、C2.5、h2e2"],
  promote: ["Up", "上移", "上移"],
  mainLine: ["Main line", "设为主线", "設為主線"],
  delete: ["Delete", "删除", "刪除"],
  comment: ["Comment on this move", "这一着的评注", "這一著的評註"],
  mark: ["Mark of this move", "着法标记", "著法標記"],
  remove: ["Remove", "移除", "移除"],
  clearBoard: ["Clear", "清空", "清空"],
  startPosition: ["Start position", "初始局面", "初始局面"],
  thisPosition: ["This position", "当前局面", "當前局面"],
  mirror: ["Mirror", "左右对调", "左右對調"],
  swapColours: ["Swap colours", "红黑对调", "紅黑對調"],
  undo: ["Undo", "撤销", "復原"],
  toMove: ["To move", "先行", "先行"],
  analyseThis: ["Analyse", "分析", "分析"],
  playThis: ["Play from here", "从此对弈", "從此對弈"],
  positionRight: ["The position is right.", "局面正确。", "局面正確。"],
  positionOdd: ["$1 It can be played all the same.", "$1仍可对弈。", "$1仍可對弈。"],
  sides: ["You play", "您执", "您執"],
  playRed: ["Red", "红方", "紅方"],
  playBlack: ["Black", "黑方", "黑方"],
  twoPersons: ["Both sides", "双方", "雙方"],
  warn: ["Warn me", "提醒我", "提醒我"],
  warn_off: ["never", "不提醒", "不提醒"],
  warn_blunders: ["of blunders", "出大错时", "出大錯時"],
  warn_mistakes: ["of mistakes", "出失误时", "出失誤時"],
  warned: ["$1 costs $2 % of your chances. The answer would be $3.", "$1 会损失 $2% 的胜率，对方可走：$3。", "$1 會損失 $2% 的勝率，對方可走：$3。"],
  warnedMate: ["$1 lets a mate go.", "走 $1 会错过杀着。", "走 $1 會錯過殺著。"],
  goOn: ["Play it all the same", "仍走此着", "仍走此著"],
  why_check: ["You are in check, and this piece cannot help.", "正被将军，这个子解不了将。", "正被將軍，這個子解不了將。"],
  why_shields: ["This piece shields your king: without it the king could be taken, or would face the other one.", "这个子护着将帅，走开会被将军或照面。", "這個子護著將帥，走開會被將軍或照面。"],
  why_blocked: ["This piece has no point to go to.", "这个子没有可走的位置。", "這個子沒有可走的位置。"],
  clock: ["Clock", "用时", "用時"],
  noClock: ["none", "不限", "不限"],
  from: ["From", "从", "從"],
  start: ["Start", "开始", "開始"],
  emptyAnalysis: ["Board for analysis", "分析棋盘", "分析棋盤"],
  openHelp: ["Drop a file anywhere on the page, paste a game or a FEN with Ctrl V, or choose a file.", "把文件拖进页面，用 Ctrl V 粘贴棋谱或 FEN，或选择文件。", "把文件拖進頁面，用 Ctrl V 粘貼棋譜或 FEN，或選擇文件。"],
  chooseFile: ["Choose a file", "选择文件", "選擇文件"],
  pasteHere: ["Game or FEN", "棋谱或 FEN", "棋譜或 FEN"],
  openText: ["Open this text", "打开文本", "打開文本"],
  kept: ["Kept games", "已保存的棋局", "已保存的棋局"],
  untitled: ["Untitled", "未命名", "未命名"],
  ply: ["1 ply", "1 着", "1 著"],
  plies: ["$1 plies", "$1 着", "$1 著"],
  search: ["Search", "搜索", "搜索"],
  gamesInFile: ["$1 games in this file", "文件中有 $1 盘棋", "文件中有 $1 盤棋"],
  tooLarge: ["This file is too large.", "文件太大。", "文件太大。"],
  warnings: ["Read with warnings: $1", "已读入，但有问题：$1", "已讀入，但有問題：$1"],
  savedAlways: ["Everything is kept by itself. Here you take a copy.", "内容会自动保存。在这里导出副本。", "內容會自動保存。在這裡導出副本。"],
  format: ["Format", "格式", "格式"],
  notation: ["Notation", "记谱", "記譜"],
  download: ["Download", "下载", "下載"],
  copyGame: ["Copy the game", "复制棋谱", "複製棋譜"],
  copyFen: ["Copy the FEN", "复制 FEN", "複製 FEN"],
  copy: ["Copy", "复制", "複製"],
  copied: ["Copied.", "已复制。", "已複製。"],
  notText: ["This format is not text: download it.", "此格式不是文本，请下载。", "此格式不是文本，請下載。"],
  headerTitle: ["Title", "标题", "標題"],
  headerEvent: ["Event", "赛事", "賽事"],
  headerDate: ["Date", "日期", "日期"],
  headerRed: ["Red", "红方", "紅方"],
  headerBlack: ["Black", "黑方", "黑方"],
  headerResult: ["Result", "结果", "結果"],
  format_pgn: ["PGN", "PGN", "PGN"],
  format_xqf: ["XQF (XQStudio)", "XQF（象棋演播室）", "XQF（象棋演播室）"],
  format_dhtmlxq: ["DhtmlXQ (UBB)", "DhtmlXQ（UBB）", "DhtmlXQ（UBB）"],
  format_cbr: ["CBR (CCBridge)", "CBR（象棋桥）", "CBR（象棋橋）"],
  format_text: ["Moves as text", "文本着法", "文本著法"],
  format_fen: ["Position (FEN)", "局面（FEN）", "局面（FEN）"],
  format_wxf: ["WXF file", "WXF 文件", "WXF 文件"],
  format_json: ["JSON", "JSON", "JSON"],
  notation_chinese: ["Chinese, simplified", "中文（简体）", "中文（簡體）"],
  notation_traditional: ["Chinese, traditional", "中文（繁体）", "中文（繁體）"],
  notation_wxf: ["WXF: C2.5", "WXF：C2.5", "WXF：C2.5"],
  notation_iccs: ["ICCS: H2E2", "ICCS：H2E2", "ICCS：H2E2"],
  letters_chinese: ["Simplified characters", "简体字", "簡體字"],
  letters_traditional: ["Traditional characters", "繁体字", "繁體字"],
  letters_learner: ["Characters with letters", "汉字加字母", "漢字加字母"],
  letters_latin: ["Letters", "字母", "字母"],
  letters_symbols: ["Symbols", "图形", "圖形"],
  language: ["Language", "语言", "語言"],
  asLanguage: ["as the language", "随语言", "隨語言"],
  pieces: ["Pieces", "棋子", "棋子"],
  scores: ["Scores", "评分", "評分"],
  scoreRed: ["from Red's side", "从红方看", "從紅方看"],
  scoreMover: ["from the side to move", "从走棋方看", "從走棋方看"],
  theme: ["Colours", "配色", "配色"],
  theme_auto: ["as the system", "随系统", "隨系統"],
  theme_light: ["light", "浅色", "淺色"],
  theme_dark: ["dark", "深色", "深色"],
  sounds: ["Sounds", "声音", "聲音"],
  about: ["Everything stays on this machine.", "一切都留在本机。", "一切都留在本機。"],
  connectionLost: ["The connection is lost. Trying again …", "连接已断开，正在重试……", "連接已斷開，正在重試……"],
  connectionRefused: ["This address is no longer valid: open the one that eleengine board has printed last. Your games are kept.", "此地址已失效：请打开 eleengine board 最近显示的地址。棋局都已保存。", "此地址已失效：請打開 eleengine board 最近顯示的地址。棋局都已保存。"],
  cannotSave: ["The games cannot be saved: $1", "棋局无法保存：$1", "棋局無法保存：$1"],
  pieceK: ["red king", "红帅", "紅帥"],
  pieceA: ["red advisor", "红仕", "紅仕"],
  pieceB: ["red elephant", "红相", "紅相"],
  pieceN: ["red horse", "红马", "紅馬"],
  pieceR: ["red rook", "红车", "紅車"],
  pieceC: ["red cannon", "红炮", "紅炮"],
  pieceP: ["red pawn", "红兵", "紅兵"],
  piecek: ["black king", "黑将", "黑將"],
  piecea: ["black advisor", "黑士", "黑士"],
  pieceb: ["black elephant", "黑象", "黑象"],
  piecen: ["black horse", "黑马", "黑馬"],
  piecer: ["black rook", "黑车", "黑車"],
  piecec: ["black cannon", "黑炮", "黑炮"],
  piecep: ["black pawn", "黑卒", "黑卒"],
  empty: ["empty", "空", "空"],
  drawResult: ["Draw", "和棋", "和棋"],
  wins: ["$1 wins", "$1胜", "$1勝"],
  noResult: ["The game was stopped", "对局已结束", "對局已結束"],
  reason_checkmate: ["by checkmate", "将死", "將死"],
  reason_stalemate: ["because the other side has no move", "困毙", "困斃"],
  reason_perpetual_check: ["because of perpetual check", "长将判负", "長將判負"],
  reason_perpetual_chase: ["because of perpetual chase", "长捉判负", "長捉判負"],
  reason_repetition: ["by repetition", "重复局面", "重複局面"],
  reason_move_limit: ["because nothing was captured for too long", "限着无吃子", "限著無吃子"],
  reason_material: ["because nobody can mate", "双方无取胜子力", "雙方無取勝子力"],
  reason_resigned: ["by resignation", "认输", "認輸"],
  reason_time: ["on time", "超时", "超時"],
  reason_agreed: ["by agreement", "双方同意", "雙方同意"],
  offence0: ["$1 does not offend", "$1无违例", "$1無違例"],
  offence3: ["$1 checks on every move", "$1着着将军", "$1著著將軍"],
  offence2: ["$1 chases $2 with $3 on every move", "$1用$3长捉$2", "$1用$3長捉$2"],
  offence1: ["$1 exposes $2 with $3 on every move", "$1用$3长拦$2", "$1用$3長攔$2"],
  offenceMixed: ["$1 checks, threatens mate or chases on every move", "$1着着将、杀或捉", "$1著著將、殺或捉"],
  and: ["and", "、", "、"],
  error_lost: ["The connection is lost.", "连接已断开。", "連接已斷開。"],
  "error_illegal-move": ["$1 is not a legal move here.", "“$1”不合规则。", "「$1」不合規則。"],
  "error_no-move": ["“$1” is not a move: 炮二平五, C2.5 or h2e2 would be.", "“$1”不是着法。可写炮二平五、C2.5 或 h2e2。", "「$1」不是著法。可寫炮二平五、C2.5 或 h2e2。"],
  "error_no-puzzle": ["There is no such puzzle.", "没有这个残局。", "沒有這個殘局。"],
  error_internal: ["Something went wrong in the program; your game is kept. ($1)", "程序出错，棋局已保留。（$1）", "程式出錯，棋局已保留。（$1）"],
  atLine: ["line $1: ", "第 $1 行：", "第 $1 行："],
  error_refused: ["That does not work: $1", "无法完成：$1", "無法完成：$1"],
  "error_bad-position": ["The position is not right: $1", "局面有误：$1", "局面有誤：$1"],
  "error_game-running": ["A game is being played here.", "这里正在对局。", "這裡正在對局。"],
  "error_not-your-turn": ["It is the engine's turn.", "轮到引擎走。", "輪到引擎走。"],
  "error_game-over": ["The game is over.", "对局已结束。", "對局已結束。"],
  "error_nothing-to-take-back": ["There is no move to take back.", "没有可悔的着法。", "沒有可悔的著法。"],
  "error_nothing-to-review": ["There are no moves to review.", "没有可复盘的着法。", "沒有可復盤的著法。"],
  "error_too-large": ["That is too large.", "内容太大。", "內容太大。"],
  "error_unknown-document": ["There is no such game.", "没有这盘棋。", "沒有這盤棋。"],
  "error_unknown-node": ["This move is no longer there.", "这一着已不存在。", "這一著已不存在。"],
  error_engine: ["The engine failed: $1", "引擎出错：$1", "引擎出錯：$1"],
  "error_bad-record": ["This cannot be read: $1", "无法读取：$1", "無法讀取：$1"],
  error_busy: ["A review is running.", "复盘正在进行。", "復盤正在進行。"],
  "error_no-png": ["PNG needs: pip install \"eleengine[png]\"", "PNG 需要：pip install \"eleengine[png]\"", "PNG 需要：pip install \"eleengine[png]\""],
  "error_bad-message": ["The page asked for something odd: $1", "页面请求有误：$1", "頁面請求有誤：$1"],
  key_move: ["move back, forward", "后退、前进", "後退、前進"],
  key_variation: ["variation before, after", "上一个、下一个变着", "上一個、下一個變著"],
  key_ends: ["first, last position", "开局、末尾", "開局、末尾"],
  key_mistake: ["mistake before, after", "上一个、下一个失误", "上一個、下一個失誤"],
  key_space: ["play the best move; in a game: hint", "走最佳着法；对局中：提示", "走最佳著法；對局中：提示"],
  key_e: ["engine on, off", "引擎开关", "引擎開關"],
  key_15: ["number of lines", "分析路数", "分析路數"],
  key_f: ["flip the board", "翻转棋盘", "翻轉棋盤"],
  key_h: ["hint", "提示", "提示"],
  key_l: ["read the first line", "读出第一路", "讀出第一路"],
  key_c: ["type a move", "输入着法", "輸入著法"],
  key_z: ["take back", "悔棋", "悔棋"],
  key_v: ["open what is on the clipboard", "打开剪贴板内容", "打開剪貼板內容"],
  key_nos: ["new, open, save", "新对局、打开、保存", "新對局、打開、保存"],
  key_board: ["on the board: walk; Enter takes and puts down", "在棋盘上：移动；Enter 拿起、放下", "在棋盤上：移動；Enter 拿起、放下"],
  key_right: ["right mouse button: arrows", "鼠标右键：画箭头", "鼠標右鍵：畫箭頭"],
};

export function texts(language, key, values = []) {
  const found = TEXTS[key]?.[ORDER.indexOf(language)];
  if (found === undefined) return key;
  return values.length ? found.replace(/\$(\d)/g, (_, n) => values[n - 1] ?? "") : found;
}

const NUMERALS = "〇一二三四五六七八九十";

// What stands on a point: "red rook a0", 红车 九路一线
export function pieceName(language, square, symbol) {
  const what = symbol ? texts(language, `piece${symbol}`) : texts(language, "empty");
  if (language === "en") return `${what} ${square}`;
  const file = NUMERALS[9 - "abcdefghi".indexOf(square[0])], rank = NUMERALS[Number(square[1]) + 1];
  return `${what} ${file}路${rank}${language === "zh-Hant" ? "線" : "线"}`;
}

// How a game ended, and why
export function outcomeText(language, outcome) {
  const t = (key, ...values) => texts(language, key, values);
  if (outcome.reason === "stopped") return t("noResult");
  const english = language === "en";
  const result = outcome.winner ? t("wins", t(outcome.winner)) : t("drawResult");
  const reason = t(`reason_${outcome.reason}`);
  return result + (english ? " " : "（") + reason + (english ? ". " : "）。") + explain(language, outcome);
}

// The offences of a repetition, as a sentence
export function explain(language, outcome) {
  if (!outcome.offences) return "";
  const t = (key, ...values) => texts(language, key, values);
  const join = (list) => list.join(language === "en" ? ` ${t("and")} ` : t("and"));
  const name = ([symbol, square]) => pieceName(language, square, symbol).replace(/ (\S+路\S+)$/, "（$1）");
  const told = outcome.offences.map(({ side, grade, chases }) => {
    if (grade === 0 || grade === 3) return t(`offence${grade}`, t(side));
    if (!chases.length) return t("offenceMixed", t(side));
    return join(chases.map((chase) => t(`offence${grade}`, t(side), name(chase.victim), join(chase.attackers.map(name)))));
  });
  return told.join(language === "en" ? "; " : "；") + (language === "en" ? "." : "。");
}

// The library's sentences on what is wrong with a position
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
  return english;
}

// What is wrong with a file, as the readers say it
const REASONS = [
  [/^no move of a game is in this text$/, "文本中没有着法", "文本中沒有著法"],
  [/^(?:invalid|illegal) move '(.*?)'/, "“$1”不是合规的着法", "「$1」不是合規的著法"],
  [/^no game/, "其中没有棋局", "其中沒有棋局"],
  [/^the packed file is damaged/, "压缩文件已损坏", "壓縮檔案已損壞"],
  [/^a binary file of no known format/, "无法识别的文件格式", "無法識別的檔案格式"],
  [/^(?:this is|the format) /, "不支持这种文件", "不支援這種檔案"],
  [/^(?:not an? |an? \w+ (?:file|record) has at least)/, "文件已损坏或格式不符", "檔案已損壞或格式不符"],
];

function reasonText(language, reason) {
  const n = ORDER.indexOf(language);
  if (!n) return reason;
  for (const [pattern, ...translated] of REASONS) {
    const found = reason.match(pattern);
    if (found) return translated[n - 1].replace("$1", found[1] ?? "");
  }
  const text = defectText(language, reason);
  return text === reason ? translatedNot[n - 1] : text.replace(/。$/, "");
}
const translatedNot = ["内容有误", "內容有誤"];

// What is wrong with a file, and where
export const recordProblem = (language, { reason, line }) => (line ? texts(language, "atLine", [line]) : "") + reasonText(language, reason);

// An error of the server
export function problem(language, { code, message, defects, reason, line, move }) {
  let text = defects ? defectText(language, defects[0][1]) : message;
  if (move !== undefined) text = move;
  if (reason) text = recordProblem(language, { reason, line });
  return texts(language, TEXTS[`error_${code}`] ? `error_${code}` : "error_refused", [text ?? ""]);
}

const KEYS = [
  ["← →", "key_move"], ["↑ ↓", "key_variation"], ["Home End", "key_ends"], ["Shift ← →", "key_mistake"],
  ["Space", "key_space"], ["E", "key_e"], ["1 – 5", "key_15"], ["F", "key_f"], ["H", "key_h"], ["L", "key_l"], ["C", "key_c"],
  ["Ctrl Z", "key_z"], ["Ctrl V", "key_v"], ["N O S", "key_nos"], ["Tab Enter", "key_board"], ["➚", "key_right"],
];

export const keysTable = (language) => KEYS.map(([key, text]) => [key, texts(language, text)]);
