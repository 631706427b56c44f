// What the page says, in three languages; what the server says in English is put into the other two here.

export const LANGUAGES = { "zh-Hans": "简体中文", "zh-Hant": "繁體中文", en: "English" };

/** @typedef {import("./state.js").Language} Language */

/** @type {Language[]} */
export const ORDER = ["en", "zh-Hans", "zh-Hant"];

// prettier-ignore
/** @type {Record<string, [english: string, simplified: string, traditional: string]>} */
export const TEXTS = {
  tools: ["Tools", "工具", "工具"],
  panels: ["Panels", "面板", "面板"],
  board: ["Board", "棋盘", "棋盤"],
  navigation: ["Navigation", "浏览", "瀏覽"],
  newGame: ["New game", "新对局", "新對局"],
  barPlay: ["Play", "对局", "對局"],
  barOpen: ["Records", "打谱", "打譜"],
  more: ["More", "更多", "更多"],
  open: ["Open", "打开", "開啟"],
  save: ["Save", "保存", "儲存"],
  edit: ["Set up", "摆棋", "擺棋"],
  puzzles: ["Puzzles", "残局", "殘局"],
  settings: ["Settings", "设置", "設定"],
  phone: ["On the phone", "在手机上", "在手機上"],
  qrCode: ["QR code of the address", "网址二维码", "網址 QR 碼"],
  address: ["Address", "网址", "網址"],
  phoneHelp: ["Scan this with a phone in the same network: it opens the board with your games.", "用同一网络中的手机扫码，即可打开棋盘和您的棋局。", "用同一網路中的手機掃描 QR 碼，即可開啟棋盤和您的棋局。"],
  phoneWarning: ["The connection is not encrypted: whoever is in this network can read along, and who has the address can use the board. Use it at home, not in a public network.", "连接未加密：同一网络中的人可以看到内容，得到网址的人可以使用棋盘。请在家中使用，不要用于公共网络。", "連線未加密：同一網路中的人可以看到內容，得到網址的人可以使用棋盤。請在家中使用，不要用於公共網路。"],
  watch: ["To look on", "跟随教练（只看）", "跟隨教練（只看）"],
  watchHelp: ["Whoever opens this sees what your board shows, move by move. They can change and delete nothing, open nothing else, and use no engine.", "打开这个网址的人会跟着您的棋盘看：您走到哪里，他们就看到哪里。他们不能修改或删除，不能打开别的棋局，也不能使用引擎。", "開啟這個網址的人會跟著您的棋盤看：您走到哪裡，他們就看到哪裡。他們不能修改或刪除，不能開啟別的棋局，也不能使用引擎。"],
  watchWarning: ["The address is valid until the board is started anew. The connection is not encrypted.", "网址在棋盘程序重新启动后失效。连接未加密。", "網址在棋盤程式重新啟動後失效。連線未加密。"],
  following: ["You look on: the board moves with its owner's. ← → look around.", "正在跟随教练的棋盘。← → 可自己翻看。", "正在跟隨教練的棋盤。← → 可自己翻看。"],
  "error_view-only": ["You only look on: this is for the owner of the board.", "您正在跟随，只能观看。", "您正在跟隨，只能觀看。"],
  help: ["Keys", "按键", "按鍵"],
  first: ["To the start", "到开头", "到開頭"],
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
  levelOf: ["level, $1", "级别（$1）", "級別（$1）"],
  levelElo: ["Elo $1", "等级分 $1", "等級分 $1"],
  eloHelp: ["Elo over level 0, measured by games between the levels.", "等级分以 0 级为零，由各级对局测得。", "等級分以 0 級為零，由各級對局測得。"],
  level_beginner: ["beginner", "入门", "入門"],
  level_easy: ["easy", "初级", "初級"],
  level_medium: ["medium", "中级", "中級"],
  level_advanced: ["advanced", "高级", "高級"],
  level_strong: ["strong", "强手", "強手"],
  level_expert: ["expert", "高手", "高手"],
  level_full: ["full strength", "全力", "全力"],
  recordAt: ["Your games at level $1: $2 won, $3 drawn, $4 lost.", "您对 $1 级：$2 胜 $3 和 $4 负。", "您對 $1 級：$2 勝 $3 和 $4 負。"],
  recordShort: ["you: $1–$2–$3", "您 $1 胜 $2 和 $3 负", "您 $1 勝 $2 和 $3 負"],
  notCounted: ["This one, with help, is not counted.", "本局用过提示、悔棋或教练，不计入。", "本局用過提示、悔棋或教練，不計入。"],
  tryLevel: ["Play level $1", "下一局：$1 级", "下一局：$1 級"],
  mated: ["#", "绝杀", "絕殺"],
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
  premove: ["Premove: $1", "预走：$1", "預走：$1"],
  premoveCancelled: ["The premove is taken back.", "已取消预走。", "已取消預走。"],
  premoveDropped: ["The premove is dropped. $1", "预走的着法已取消：$1", "預走的著法已取消：$1"],
  premoveTakenBack: ["The premove is dropped: a move was taken back.", "有人悔棋，预走的着法已取消。", "有人悔棋，預走的著法已取消。"],
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
  hideReview: ["Hide the review", "隐藏复盘", "隱藏復盤"],
  showReview: ["Show the review", "显示复盘", "顯示復盤"],
  dropReview: ["Take the review away", "移除复盘", "移除復盤"],
  reviewPage: ["As a page", "导出网页", "匯出網頁"],
  perMove: ["per move", "每着", "每著"],
  accuracy: ["Accuracy", "准确率", "準確率"],
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
  gamesTab: ["Games", "棋谱", "棋譜"],
  results: ["Red, draw, Black", "红胜、和、黑胜", "紅勝、和、黑勝"],
  resultBar: ["Red won $1, drawn $2, Black won $3", "红胜 $1，和 $2，黑胜 $3", "紅勝 $1，和 $2，黑勝 $3"],
  player: ["Player", "棋手", "棋手"],
  since: ["from year", "起始年", "起始年"],
  until: ["to year", "截止年", "截止年"],
  anyResult: ["any result", "全部结果", "全部結果"],
  gameEnd: ["end of the game", "终局", "終局"],
  gameHere: ["1 game", "1 盘棋", "1 盤棋"],
  gamesHere: ["$1 games", "$1 盘棋", "$1 盤棋"],
  noGamesHere: ["None of your games was here.", "您的棋谱里没有这个局面。", "您的棋譜裡沒有這個局面。"],
  notWhilePlaying: ["Not shown while a game is played.", "对局中不显示。", "對局中不顯示。"],
  noIndex: ["No games yet: those that you open come here.", "还没有棋谱。您打开的棋谱会列在这里。", "還沒有棋譜。您開啟的棋譜會列在這裡。"],
  moreGames: ["More games", "更多对局", "更多對局"],
  backThere: ["Back to where you were", "返回原来的局面", "返回原來的局面"],
  addGames: ["Add all to my games", "全部加入我的棋谱", "全部加入我的棋譜"],
  makingGif: ["The GIF is being made …", "正在生成 GIF……", "正在產生 GIF……"],
  gamesAdded: ["$1 games, $2 of them new", "$1 盘棋，新增 $2 盘", "$1 盤棋，新增 $2 盤"],
  "error_no-gif": ["GIF needs an addition of the program, gif, that is not installed.", "生成 GIF 需要安装附加组件 gif。", "產生 GIF 需要安裝附加元件 gif。"],
  "error_bad-index": ["The index of your games cannot be used: $1", "棋谱索引文件无法使用：请删除它，再重新建立。", "棋譜索引檔案無法使用：請刪除它，再重新建立。"],
  bookMove: ["Move", "着法", "著法"],
  bookGames: ["Games", "局数", "局數"],
  bookShare: ["Share", "占比", "佔比"],
  bookPoints: ["Points", "得分率", "得分率"],
  bookEmpty: ["The book has no move here.", "开局库里没有这个局面的着法。", "開局庫裡沒有這個局面的著法。"],
  good: ["Right, that is good.", "对，好棋！", "對，好棋！"],
  notBetter: ["Not better. Try another one.", "不比实战好，再试试。", "不比實戰好，再試試。"],
  betterWas: ["This was better.", "这一着更好。", "這一著更好。"],
  show: ["Show it", "看答案", "看答案"],
  nextOne: ["Next one", "下一题", "下一題"],
  finish: ["Finish", "结束", "結束"],
  mateInOne: ["$1 mates in one move. Find it.", "$1先行，一步杀。", "$1先行，一步殺。"],
  mateIn: ["$1 wins in $2 moves. Find the way.", "$1先行，$2 步杀。", "$1先行，$2 步殺。"],
  findBest: ["$1 to move. Find the best move.", "$1先行，请找出最好的着法。", "$1先行，請找出最好的著法。"],
  findDraw: ["$1 to move. Save the draw.", "$1先行求和。", "$1先行求和。"],
  solved: ["Solved!", "解出来了！", "解出來了！"],
  shown: ["The solution is in the moves.", "答案在着法栏里。", "答案在著法欄裡。"],
  tries: ["wrong moves: $1", "走错 $1 次", "走錯 $1 次"],
  solution: ["Solution", "答案", "答案"],
  again: ["Again", "重来", "重來"],
  endings: ["Endings against perfect play", "实用残局：对手着着最佳", "實用殘局：對手著著最佳"],
  winIt: ["You are Red. Win against the best defence.", "您执红先行，对手着着最佳，请取胜。", "您執紅先行，對手著著最佳，請取勝。"],
  holdIt: ["You are Red. Hold the draw for 15 moves.", "您执红先行，请守和 15 回合。", "您執紅先行，請守和 15 回合。"],
  nextPosition: ["Another position", "换一个局面", "換一個局面"],
  solvedTimes: ["solved without a mistake: $1", "无失误解出 $1 次", "無失誤解出 $1 次"],
  nextUnsolved: ["Next unsolved", "下一个未解的", "下一個未解的"],
  randomPuzzle: ["Random", "随机", "隨機"],
  solvedOf: ["$1 of $2 solved", "已解 $1 / $2", "已解 $1 / $2"],
  puzzle_solved: ["solved", "已解", "已解"],
  puzzle_helped: ["solved with help", "用过提示", "用過提示"],
  puzzle_tried: ["tried", "试过", "試過"],
  show_: ["Show", "显示", "顯示"],
  kind_all: ["all", "全部", "全部"],
  difficulty: ["Difficulty", "难度", "難度"],
  anyLevel: ["any", "不限", "不限"],
  themeOf: ["Pattern", "杀法", "殺法"],
  anyTheme: ["any", "不限", "不限"],
  onlyUnsolved: ["only unsolved", "只看未解的", "只看未解的"],
  setOf: ["Set $1 of $2 ($3 puzzles)", "第 $1 组，共 $2 组（$3 题）", "第 $1 組，共 $2 組（$3 題）"],
  needsTable: ["needs the endgame table $1", "需要残局库 $1", "需要殘局庫 $1"],
  nextSet: ["Next set", "下一组", "下一組"],
  previousSet: ["Set before", "上一组", "上一組"],
  solveSet: ["Solve", "做这组", "做這組"],
  printSet: ["Print", "打印", "列印"],
  linkSet: ["Link", "链接", "連結"],
  setDone: ["The set is done: $1 of $2 solved without a mistake.", "这组做完了：$2 题中有 $1 题一次做对。", "這組做完了：$2 題中有 $1 題一次做對。"],
  streak: ["Streak", "连续挑战", "連續挑戰"],
  newStreak: ["New streak", "再来一次", "再來一次"],
  streakNow: ["$1 in a row", "已连对 $1 题", "已連對 $1 題"],
  streakOver: ["The streak is over: $1 in a row. Your best: $2.", "挑战结束：连对 $1 题。最好成绩 $2 题。", "挑戰結束：連對 $1 題。最好成績 $2 題。"],
  bestStreak: ["longest streak $1", "最多连对 $1 题", "最多連對 $1 題"],
  share: ["Link", "链接", "連結"],
  shareHelp: ["Scan this with a phone in the same network, or send the address.", "用同一网络中的手机扫码，或发送网址。", "用同一網路中的手機掃描，或傳送網址。"],
  shareHere: ["This address works on this machine. For phones the board has to be started with the network allowed, as its manual says.", "此网址只能在本机打开。要让手机打开，启动时需允许网络访问，详见使用说明。", "此網址只能在本機開啟。要讓手機開啟，啟動時需允許網路存取，詳見使用說明。"],
  kind_one: ["mates in 1", "一步杀", "一步殺"],
  kind_two: ["mates in 2", "二步杀", "二步殺"],
  kind_three: ["mates in 3", "三步杀", "三步殺"],
  kind_middle: ["mates in 4 to 6", "4–6 步杀", "4–6 步殺"],
  kind_long: ["longer mates", "更长的杀法", "更長的殺法"],
  kind_studies: ["studies", "其他残局", "其他殘局"],
  nextPuzzle: ["Next puzzle", "下一个", "下一個"],
  mateMoves: ["mate in $1", "$1 步杀", "$1 步殺"],
  draw: ["draw", "求和", "求和"],
  bestMove: ["best move", "最佳着法", "最佳著法"],
  wrong: ["Not this one. Try again.", "不对，再想想。", "不對，再想想。"],
  right: ["Right. Go on.", "对，继续。", "對，繼續。"],
  noHint: ["Nothing is known here: go back to the solution's way.", "这里没有提示：请退回正解的路线。", "這裡沒有提示：請退回正解的路線。"],
  hintIs: ["Hint: $1", "提示：$1", "提示：$1"],
  findMate: ["Is there a mate?", "有没有杀棋？", "有沒有殺棋？"],
  mateFound: ["Mate in $1: $2", "$1 步杀：$2", "$1 步殺：$2"],
  noMate: ["No mate was found in five seconds.", "五秒内没有找到杀棋。", "五秒內沒有找到殺棋。"],
  engine: ["Engine", "引擎", "引擎"],
  engines: ["Engine against engine", "引擎对引擎", "引擎對引擎"],
  engineSettings: ["Engine settings", "引擎设置", "引擎設定"],
  lines: ["Lines", "路数", "路數"],
  threads: ["Threads", "线程", "執行緒"],
  hash: ["Hash", "置换表", "置換表"],
  showArrows: ["Arrows for the best moves", "用箭头标出最佳着法", "用箭頭標出最佳著法"],
  depth: ["depth", "深度", "深度"],
  playLine: ["Play this move", "走这一着", "走這一著"],
  unfold: ["The whole line", "展开变化", "展開變化"],
  knownWin: ["Table: $1 wins in $2 plies.", "残局库：$1胜，还需 $2 着。", "殘局庫：$1勝，還需 $2 著。"],
  knownDraw: ["Table: drawn.", "残局库：和局。", "殘局庫：和局。"],
  knownAside: ["Table: drawn, rules of repetition aside.", "残局库：和局（不计棋例）。", "殘局庫：和局（不計棋例）。"],
  knownKeep: ["Only these moves keep it: $1", "只有这些着法能保持结果：$1", "只有這些著法能保持結果：$1"],
  "ending_1_0": ["A won ending became drawn.", "胜局变成了和局。", "勝局變成了和局。"],
  "ending_1_-1": ["A won ending became lost.", "胜局变成了败局。", "勝局變成了敗局。"],
  "ending_0_-1": ["A drawn ending became lost.", "和局变成了败局。", "和局變成了敗局。"],
  noLines: ["There are no lines.", "没有分析结果。", "沒有分析結果。"],
  book: ["Opening book", "开局库", "開局庫"],
  score: ["Score", "评分", "評分"],
  graph: ["Red's winning chances over the game", "全局红方胜率曲线", "全局紅方勝率曲線"],
  redWins: ["Red", "红", "紅"],
  blackWins: ["Black", "黑", "黑"],
  noMoves: ["No moves yet. Play on the board, or open a game.", "还没有着法。在棋盘上走棋，或打开棋谱。", "還沒有著法。在棋盤上走棋，或開啟棋譜。"],
  typeMove: ["Type a move: 炮二平五, C2.5, h2e2", "输入着法：炮二平五、C2.5、h2e2", "輸入著法：炮二平五、C2.5、h2e2"],
  promote: ["Up", "上移", "上移"],
  mainLine: ["Main line", "设为主线", "設為主線"],
  delete: ["Delete", "删除", "刪除"],
  comment: ["Comment on this move", "这一着的注解", "這一著的註解"],
  mark: ["Mark of this move", "着法标记", "著法標記"],
  arrow: ["Arrow", "箭头", "箭頭"],
  remove: ["Remove", "移除", "移除"],
  clearBoard: ["Clear", "清空", "清空"],
  startPosition: ["Start position", "初始局面", "初始局面"],
  thisPosition: ["This position", "当前局面", "當前局面"],
  mirror: ["Mirror", "左右对调", "左右對調"],
  swapColours: ["Swap colours", "红黑对调", "紅黑對調"],
  undo: ["Undo", "撤销", "復原"],
  deleted: ["$1 moves deleted.", "已删除 $1 着。", "已刪除 $1 著。"],
  deletedOne: ["1 move deleted.", "已删除 1 着。", "已刪除 1 著。"],
  undone: ["Undone: $1", "已撤销：$1", "已復原：$1"],
  redone: ["Redone: $1", "已重做：$1", "已重做：$1"],
  change_delete: ["deletion", "删除着法", "刪除著法"],
  change_order: ["order of the variations", "变化次序", "變化次序"],
  change_comment: ["comment", "注解", "註解"],
  change_nags: ["mark", "着法标记", "著法標記"],
  change_arrows: ["arrow", "箭头", "箭頭"],
  change_header: ["title or players", "标题或棋手信息", "標題或棋手資訊"],
  change_review: ["review", "复盘", "復盤"],
  change_no_review: ["taking the review away", "移除复盘", "移除復盤"],
  toMove: ["To move", "先走方", "先走方"],
  analyseThis: ["Analyse", "分析", "分析"],
  playThis: ["Play from here", "从此局面对弈", "從此局面對弈"],
  positionRight: ["The position is right.", "局面正确。", "局面正確。"],
  positionOdd: ["$1 It can be played all the same.", "$1仍可对弈。", "$1仍可對弈。"],
  sides: ["You play", "您执", "您執"],
  playRed: ["Red", "红方", "紅方"],
  playBlack: ["Black", "黑方", "黑方"],
  playRandom: ["Random", "随机", "隨機"],
  twoPersons: ["Both sides", "双方", "雙方"],
  coach: ["Coach", "教练", "教練"],
  coach_off: ["none", "关闭", "關閉"],
  coach_blunders: ["warns of blunders", "出漏着时提醒", "出漏著時提醒"],
  coach_mistakes: ["warns of mistakes", "出失着时提醒", "出失著時提醒"],
  coach_each: ["judges each move", "点评每一着", "點評每一著"],
  practice: ["Practise from here", "从此局面练习", "從此局面練習"],
  practiceHelp: ["After each of your moves the coach says what it costs; a mistake can be taken back before it is answered.", "您每走一着，教练就点评得失；走错时可以先悔棋，对方再应着。", "您每走一著，教練就點評得失；走錯時可以先悔棋，對方再應著。"],
  judged_book: ["$1: a move of the book.", "$1：开局库着法。", "$1：開局庫著法。"],
  judged_best: ["$1: the best move.", "$1：最佳着法。", "$1：最佳著法。"],
  judged_good: ["$1: as good as $2.", "$1：与 $2 同样好。", "$1：與 $2 同樣好。"],
  judged_near: ["$1: good, costs $2 %. $3 was a little better.", "$1：好着，胜率只损失 $2%，$3 略好。", "$1：好著，勝率只損失 $2%，$3 略好。"],
  judged_odd: ["$1 costs $2 %; $3 was better.", "$1：胜率损失 $2%，$3 更好。", "$1：勝率損失 $2%，$3 更好。"],
  warned: ["$1 costs $2 % of your chances", "$1 会损失 $2% 的胜率", "$1 會損失 $2% 的勝率"],
  warnedMate: ["$1 lets a mate go", "走 $1 会错失杀着", "走 $1 會錯失殺著"],
  warnedAnswer: ["The answer would be $1.", "对方可走：$1。", "對方可走：$1。"],
  showBetter: ["Better move", "看更好的着法", "看更好的著法"],
  costs: ["Costs $1 %", "胜率损失 $1%", "勝率損失 $1%"],
  missedMate: ["Lets a mate in $1 go", "错失 $1 步杀", "錯失 $1 步殺"],
  betterMove: ["Better: $1", "应走 $1", "應走 $1"],
  refutation: ["The answer", "看应着", "看應著"],
  tryIt: ["Try it", "自己找", "自己找"],
  goOn: ["Play it all the same", "仍走此着", "仍走此著"],
  why_check: ["You are in check, and this piece cannot help.", "正被将军，这个子解不了将。", "正被將軍，這個子解不了將。"],
  why_shields: ["This piece shields your king: without it the king could be taken, or would face the other one.", "这个子护着将帅，走开会被将军或照面。", "這個子護著將帥，走開會被將軍或照面。"],
  why_blocked: ["This piece has no point to go to.", "这个子没有可走的位置。", "這個子沒有可走的位置。"],
  why_no_piece: ["None of your pieces stands there.", "那里没有自己的棋子。", "那裡沒有自己的棋子。"],
  why_own_piece: ["A piece of your own stands there.", "那里有自己的棋子。", "那裡有自己的棋子。"],
  why_shape: ["This piece does not move like that.", "这个子不能这样走。", "這個子不能這樣走。"],
  why_palace: ["It may not leave the palace.", "将帅和士不能离开九宫。", "將帥和士不能離開九宮。"],
  why_river: ["Elephants do not cross the river.", "象不能过河。", "象不能過河。"],
  why_eye: ["A piece stands in the middle of its way (the elephant's eye).", "塞象眼：田字中心有子。", "塞象眼：田字中心有子。"],
  why_leg: ["A piece stands beside the horse on that side (the horse's leg).", "蹩马腿：马前有子。", "蹩馬腿：馬前有子。"],
  why_way: ["A piece stands in its way.", "路上有子挡着。", "路上有子擋著。"],
  why_screen: ["A cannon takes over exactly one piece between.", "炮吃子须隔一个子。", "炮吃子須隔一個子。"],
  why_backward: ["Soldiers never move back.", "兵卒不能后退。", "兵卒不能後退。"],
  why_sideways: ["Soldiers move sideways only beyond the river.", "兵卒过河后才能横走。", "兵卒過河後才能橫走。"],
  why_facing: ["The kings would face each other.", "走后将帅照面。", "走後將帥照面。"],
  why_in_check: ["You are in check, and this does not end it.", "正被将军，这样走解不了将。", "正被將軍，這樣走解不了將。"],
  why_into_check: ["Your king could be taken.", "走后会被将军。", "走後會被將軍。"],
  clock: ["Clock", "用时", "用時"],
  noClock: ["none", "不限", "不限"],
  from: ["From", "从哪里开始", "從哪裡開始"],
  start: ["Start", "开始", "開始"],
  emptyAnalysis: ["Board for analysis", "分析棋盘", "分析棋盤"],
  openHelp: ["Drop files anywhere on the page, paste a game or a FEN with Ctrl V, or choose files.", "把文件拖进页面，用 Ctrl V 粘贴棋谱或 FEN，或选择文件。", "把檔案拖進頁面，用 Ctrl V 貼上棋譜或 FEN，或選擇檔案。"],
  chooseFile: ["Choose files", "选择文件", "選擇檔案"],
  pasteHere: ["Game or FEN", "棋谱或 FEN", "棋譜或 FEN"],
  openText: ["Open this text", "打开这段文字", "開啟這段文字"],
  kept: ["Kept games", "已保存的棋局", "已儲存的棋局"],
  kept_all: ["all", "全部", "全部"],
  kept_running: ["still running", "未下完的", "未下完的"],
  kept_lost: ["lost", "输掉的", "輸掉的"],
  kept_reviewed: ["reviewed", "已复盘的", "已復盤的"],
  kept_puzzles: ["puzzles", "残局", "殘局"],
  rename: ["Rename", "改名", "重新命名"],
  ok: ["OK", "确定", "確定"],
  nothingFound: ["Nothing found.", "没有找到。", "沒有找到。"],
  openedAgain: ["This game was kept from the last time.", "这盘棋以前打开过，已打开上次保存的。", "這盤棋以前開啟過，已開啟上次儲存的。"],
  untitled: ["Untitled", "未命名", "未命名"],
  ply: ["1 ply", "1 着", "1 著"],
  plies: ["$1 plies", "$1 着", "$1 著"],
  search: ["Search", "搜索", "搜尋"],
  gamesInFile: ["$1 games in this file", "文件中有 $1 盘棋", "檔案中有 $1 盤棋"],
  readingFile: ["File $1 of $2: $3", "第 $1 / $2 个文件：$3", "第 $1 / $2 個檔案：$3"],
  readingGames: ["$1 games read …", "已读入 $1 盘棋……", "已讀入 $1 盤棋……"],
  error_cancelled: ["Not opened.", "已取消打开。", "已取消開啟。"],
  gameOfFile: ["game $1 of $2", "第 $1 / $2 盘", "第 $1 / $2 盤"],
  nextGame: ["Next game of the file", "文件中的下一盘", "檔案中的下一盤"],
  previousGame: ["Game before", "文件中的上一盘", "檔案中的上一盤"],
  noMoreGames: ["There is no further game in this file.", "文件中没有更多的棋局了。", "檔案中沒有更多的棋局了。"],
  filesRead: ["$1 of $2 files read. Their games are in the list of kept games.", "已读入 $1 / $2 个文件，棋局都在已保存的棋局里。", "已讀入 $1 / $2 個檔案，棋局都在已儲存的棋局裡。"],
  unreadable: ["The browser cannot read this. Folders cannot be opened.", "浏览器无法读取。不能打开文件夹。", "瀏覽器無法讀取。不能開啟資料夾。"],
  changedElsewhere: ["Another program has changed the file of this game. What you do here is kept as a copy of its own.", "这盘棋的文件被其他程序改动过，您在这里的改动另存为一份。", "這盤棋的檔案被其他程式改動過，您在這裡的改動另存為一份。"],
  tooLarge: ["This is larger than $1 MiB, the most that is opened here.", "内容超过 $1 MiB，无法打开。", "內容超過 $1 MiB，無法開啟。"],
  warnings: ["Read with warnings: $1", "已读入，但有问题：$1", "已讀入，但有問題：$1"],
  moreWarnings: ["and $1 more", "另有 $1 处", "另有 $1 處"],
  savedAlways: ["Everything is kept by itself. Here you take a copy.", "内容会自动保存。在这里导出副本。", "內容會自動儲存。在這裡匯出副本。"],
  format: ["Format", "格式", "格式"],
  notation: ["Notation", "记谱法", "記譜法"],
  losses: ["$1 cannot hold all of this game:", "$1 不能保存这盘棋的全部内容：", "$1 不能儲存這盤棋的全部內容："],
  withReview: ["with the review", "包含复盘", "包含復盤"],
  download: ["Download", "下载", "下載"],
  copyGame: ["Copy the game", "复制棋谱", "複製棋譜"],
  copyFen: ["Copy the FEN", "复制 FEN", "複製 FEN"],
  copy: ["Copy", "复制", "複製"],
  copyPicture: ["Copy the picture", "复制图片", "複製圖片"],
  cannotCopy: ["The browser does not let this page copy: save the picture instead.", "浏览器不允许复制，请保存图片。", "瀏覽器不允許複製，請儲存圖片。"],
  copied: ["Copied.", "已复制。", "已複製。"],
  notText: ["This format is not text: download it.", "此格式不是文本，请下载。", "此格式不是純文字，請下載。"],
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
  format_text: ["Moves as text", "文字棋谱", "文字棋譜"],
  format_fen: ["Start and moves (FEN)", "初始局面和着法（FEN）", "初始局面和著法（FEN）"],
  format_wxf: ["WXF file", "WXF 文件", "WXF 檔案"],
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
  sounds: ["Sounds", "声音", "音效"],
  large: ["Large type, for a projector", "大字（投影）", "大字（投影）"],
  about: ["Everything stays on this machine.", "所有内容都只在本机。", "所有內容都只在本機。"],
  notRunning: ["The board is not running. Until it is started, the games that this app has shown can be opened and stepped through.", "棋盘程序没有启动。启动之前，可以打开并翻看本应用显示过的棋局。", "棋盤程式沒有啟動。啟動之前，可以開啟並翻看本應用顯示過的棋局。"],
  connectionLost: ["The connection is lost. Trying again … If the board was started anew, go on in the page that it opens.", "连接已断开，正在重试……如果棋盘程序已重新启动，请使用它新打开的页面。", "連線已中斷，正在重試……如果棋盤程式已重新啟動，請使用它新開啟的頁面。"],
  connectionRefused: ["This address is not valid (any longer). If the board runs, go on in the page that it opened last, or open the address that it printed last; else start it. Your games are kept.", "此网址无效或已失效。如果棋盘程序正在运行，请使用它最近打开的页面，或打开它最近显示的网址；否则请先启动它。棋局都已保存。", "此網址無效或已失效。如果棋盤程式正在執行，請使用它最近開啟的頁面，或開啟它最近顯示的網址；否則請先啟動它。棋局都已儲存。"],
  cannotSave: ["The games cannot be saved: $1", "棋局无法保存：$1", "棋局無法儲存：$1"],
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
  reason_move_limit: ["because nothing was captured for too long", "自然限着", "自然限著"],
  reason_material: ["because nobody can mate", "双方均无取胜子力", "雙方均無取勝子力"],
  reason_resigned: ["by resignation", "认输", "認輸"],
  reason_time: ["on time", "超时", "超時"],
  reason_agreed: ["by agreement", "双方同意", "雙方同意"],
  error_lost: ["The connection is lost. This has to wait until it is back.", "连接已断开，请等恢复后再试。", "連線已中斷，請等恢復後再試。"],
  waits: ["The connection is lost. This is kept on the page, and saved when it is back.", "连接已断开。内容已留在此页，恢复后自动保存。", "連線已中斷。內容已留在此頁，恢復後自動儲存。"],
  sent: ["What you wrote without a connection is saved.", "断线时写下的内容已保存。", "斷線時寫下的內容已儲存。"],
  error_unsaved: ["This could not be saved, as its move or game is no longer there: $1", "这一着或这盘棋已不存在，以下内容无法保存：$1", "這一著或這盤棋已不存在，以下內容無法儲存：$1"],
  "error_illegal-move": ["$1 is not a legal move here.", "“$1”不合规则。", "「$1」不合規則。"],
  "error_no-move": ["“$1” is not a move: 炮二平五, C2.5 or h2e2 would be.", "“$1”不是着法。可写炮二平五、C2.5 或 h2e2。", "「$1」不是著法。可寫炮二平五、C2.5 或 h2e2。"],
  "error_all-solved": ["All puzzles are solved. Well done!", "残局全部解出来了，恭喜！", "殘局全部解出來了，恭喜！"],
  "error_no-puzzle": ["There is no such puzzle.", "没有这个残局。", "沒有這個殘局。"],
  "error_no-game": ["No game is being played here.", "这里没有进行中的对局。", "這裡沒有進行中的對局。"],
  "error_no-table": ["The endgame table $1 is not on this machine.", "本机没有残局库 $1。", "本機沒有殘局庫 $1。"],
  error_internal: ["Something went wrong in the program; your game is kept. ($1)", "程序出错，棋局已保留。（$1）", "程式出錯，棋局已保留。（$1）"],
  atGame: ["game $1: ", "第 $1 盘：", "第 $1 盤："],
  atLine: ["line $1: ", "第 $1 行：", "第 $1 行："],
  error_refused: ["That does not work: $1", "无法完成：$1", "無法完成：$1"],
  "error_bad-position": ["The position is not right: $1", "局面有误：$1", "局面有誤：$1"],
  "error_game-running": ["A game is being played here.", "这里正在对局。", "這裡正在對局。"],
  "error_not-your-turn": ["It is the engine's turn.", "轮到引擎走。", "輪到引擎走。"],
  "error_game-over": ["The game is over.", "对局已结束。", "對局已結束。"],
  "error_nothing-to-take-back": ["There is no move to take back.", "没有可悔的着法。", "沒有可悔的著法。"],
  "error_nothing-to-undo": ["There is nothing to undo.", "没有可撤销的操作。", "沒有可復原的操作。"],
  "error_nothing-to-review": ["There are no moves to review.", "没有可复盘的着法。", "沒有可復盤的著法。"],
  "error_review-ended": ["The review has ended: one of its moves was deleted.", "复盘已中止：复盘中的着法被删除。", "復盤已中止：復盤中的著法被刪除。"],
  "error_too-large": ["That is too large.", "内容太大。", "內容太大。"],
  "error_unknown-document": ["There is no such game.", "没有这盘棋。", "沒有這盤棋。"],
  "error_unknown-node": ["This move is no longer there.", "这一着已不存在。", "這一著已不存在。"],
  "error_in-use": ["This game is open on another page.", "这盘棋正在另一个页面打开。", "這盤棋正在另一個頁面開啟。"],
  "error_no-engine": ["The engine $1 is not there: start the board with it again (--engine).", "没有引擎 $1：请重新用 --engine 启动棋盘。", "沒有引擎 $1：請重新用 --engine 啟動棋盤。"],
  error_engine: ["The engine failed: $1", "引擎出错：$1", "引擎出錯：$1"],
  "error_bad-record": ["This cannot be read: $1", "无法读取：$1", "無法讀取：$1"],
  error_busy: ["A review is running.", "复盘正在进行。", "復盤正在進行。"],
  "error_bad-message": ["The page asked for something odd: $1", "页面请求有误：$1", "頁面請求有誤：$1"],
  fingerHelp: ["Fingers", "触屏操作", "觸控操作"],
  finger_move: ["Tap a piece, then a point; or drag the piece.", "点棋子，再点落点；也可以拖动棋子。", "點棋子，再點落點；也可以拖動棋子。"],
  finger_arrow: ["Rest on a point, then draw an arrow.", "按住不放，再拖动，即可画箭头。", "按住不放，再拖動，即可畫箭頭。"],
  finger_ahead: ["While the other side thinks, move ahead; a tap on the board takes that back.", "对方思考时可以预走；点棋盘即可取消。", "對方思考時可以預走；點棋盤即可取消。"],
  finger_why: ["A piece that cannot go there says why.", "走不了的棋子会说明原因。", "走不了的棋子會說明原因。"],
  finger_steps: ["◁ ▷ below the board go back and forward.", "棋盘下方的 ◁ ▷ 后退、前进。", "棋盤下方的 ◁ ▷ 後退、前進。"],
  finger_line: ["Tap a move of a line to play it; ▾ shows the whole line.", "点变化中的着法即可走到那里；▾ 展开整条变化。", "點變化中的著法即可走到那裡；▾ 展開整條變化。"],
  finger_more: ["⋯ has more: promote, delete; hide or repeat a review.", "⋯ 里有更多操作：上移、删除，隐藏或重新复盘。", "⋯ 裡有更多操作：上移、刪除，隱藏或重新復盤。"],
  openHelpTouch: ["Choose files, or paste a game or a FEN below.", "选择文件，或在下面粘贴棋谱或 FEN。", "選擇檔案，或在下面貼上棋譜或 FEN。"],
  key_move: ["move back, forward", "后退、前进", "後退、前進"],
  key_variation: ["variation before, after", "上一个、下一个变着", "上一個、下一個變著"],
  key_ends: ["first, last position", "开头、末尾", "開頭、末尾"],
  key_mistake: ["mistake before, after", "上一个、下一个失误", "上一個、下一個失誤"],
  key_space: ["play the best move; in a game: hint", "走最佳着法；对局中：提示", "走最佳著法；對局中：提示"],
  key_e: ["engine on, off", "引擎开关", "引擎開關"],
  key_15: ["number of lines", "分析路数", "分析路數"],
  key_f: ["flip the board", "翻转棋盘", "翻轉棋盤"],
  key_h: ["hint", "提示", "提示"],
  key_l: ["read the first line", "朗读第一路变化", "朗讀第一路變化"],
  key_b: ["moves, book, games", "着法、开局库、棋谱", "著法、開局庫、棋譜"],
  key_c: ["type a move", "输入着法", "輸入著法"],
  key_z: ["undo a change; in a game: take back", "撤销修改；对局中：悔棋", "復原修改；對局中：悔棋"],
  key_y: ["redo", "重做", "重做"],
  key_v: ["open what is on the clipboard", "打开剪贴板内容", "開啟剪貼簿內容"],
  key_nos: ["new, open, save", "新对局、打开、保存", "新對局、開啟、儲存"],
  key_page: ["game before, next game of the file", "文件中的上一盘、下一盘", "檔案中的上一盤、下一盤"],
  key_board: ["on the board: walk; Enter takes and puts down", "在棋盘上：移动；Enter 拿起、放下", "在棋盤上：移動；Enter 拿起、放下"],
  key_right: ["right mouse button: arrows", "鼠标右键：画箭头", "滑鼠右鍵：畫箭頭"],
};

/**
 * @param {Language} language
 * @param {string} key
 * @param {unknown[]} values of $1, $2 ...
 */
export function texts(language, key, values = []) {
  const found = TEXTS[key]?.[ORDER.indexOf(language)];
  if (found === undefined) return key;
  return values.length ? filled(found, values) : found;
}

/**
 * @param {string} text
 * @param {unknown[]} values of $1, $2 ...
 */
const filled = (text, values) => text.replace(/\$(\d)/g, (_, n) => String(values[n - 1] ?? ""));

const NUMERALS = "〇一二三四五六七八九十";

/**
 * What stands on a point: "red rook a0", 红车 九路一线
 * @param {Language} language
 * @param {string} square
 * @param {string} [symbol]
 */
export const pieceName = (language, square, symbol) => `${texts(language, symbol ? `piece${symbol}` : "empty")} ${pointName(language, square)}`;

/**
 * @param {Language} language
 * @param {string} square
 */
export function pointName(language, square) {
  if (language === "en") return square;
  const file = NUMERALS[9 - "abcdefghi".indexOf(square[0])], rank = NUMERALS[Number(square[1]) + 1];
  return `${file}路${rank}${language === "zh-Hant" ? "線" : "线"}`;
}

// What the levels from a number on are called
/** @type {[from: number, name: string][]} */
const LEVELS = [[20, "full"], [16, "expert"], [12, "strong"], [9, "advanced"], [6, "medium"], [3, "easy"], [0, "beginner"]];

/**
 * @param {Language} language
 * @param {number} level
 */
export const levelName = (language, level) => texts(language, `level_${LEVELS.find(([from]) => level >= from)?.[1]}`);

/**
 * Who plays, as the header says it: an engine with its level
 * @param {Language} language
 * @param {string} header
 */
export const playerName = (language, header) => header.replace(/, level (\d+)$/, (_, level) => ` · ${texts(language, "level")} ${level}`);

/** @typedef {import("./state.js").Outcome} Outcome */

/**
 * How a game ended, and why
 * @param {Language} language
 * @param {Outcome} outcome
 */
export function outcomeText(language, outcome) {
  /** @type {import("./state.js").Translate} */
  const t = (key, ...values) => texts(language, key, values);
  if (outcome.reason === "stopped") return t("noResult");
  const english = language === "en";
  const result = outcome.winner ? t("wins", t(outcome.winner)) : t("drawResult");
  const reason = t(`reason_${outcome.reason}`);
  return result + (english ? " " : "（") + reason + (english ? ". " : "）。") + explain(language, outcome);
}

// The offences of a repetition; in English the library says them.
// prettier-ignore
/** @type {Record<string, [simplified: string, traditional: string]>} */
const OFFENCES = {
  none: ["$1无违例", "$1無違例"],
  check: ["$1长将", "$1長將"],
  chase: ["$1用$3长捉$2", "$1用$3長捉$2"],
  exposure: ["$1着着闪开，用$3捉$2", "$1著著閃開，用$3捉$2"],
  mixed: ["$1着着将军、要杀或捉子", "$1著著將軍、要殺或捉子"],
  covered: ["$1也着着将军或捉子，对方的闪捉不判负", "$1也著著將軍或捉子，對方的閃捉不判負"],
};

/**
 * The offences of a repetition, as a sentence
 * @param {Language} language
 * @param {Outcome} outcome
 */
function explain(language, { offences, explanation }) {
  if (!offences) return "";
  if (language === "en") return explanation ?? "";
  /** @param {[symbol: string, square: string]} piece */
  const name = ([symbol, square]) => pieceName(language, square, symbol).replace(/ (\S+路\S+)$/, "（$1）");
  const told = offences.map(({ side, kind, chases }) => {
    const said = (/** @type {string[]} */ ...names) => filled(OFFENCES[kind][ORDER.indexOf(language) - 1], [texts(language, side), ...names]);
    return chases.length ? chases.map(({ victim, attackers }) => said(name(victim), attackers.map(name).join("、"))).join("、") : said();
  });
  return `${told.join("；")}。`;
}

/** @type {[key: string, text: string][]} */
const KEYS = [
  ["← →", "key_move"], ["↑ ↓", "key_variation"], ["Home End", "key_ends"], ["Shift ← →", "key_mistake"],
  ["Space", "key_space"], ["E", "key_e"], ["1 – 5", "key_15"], ["F", "key_f"], ["H", "key_h"], ["L", "key_l"], ["B", "key_b"], ["C", "key_c"],
  ["Ctrl Z", "key_z"], ["Ctrl Y", "key_y"], ["Ctrl V", "key_v"], ["N O S", "key_nos"], ["PgUp PgDn", "key_page"], ["Tab Enter", "key_board"], ["➚", "key_right"],
];

const FINGERS = ["finger_move", "finger_ahead", "finger_why", "finger_arrow", "finger_steps", "finger_line", "finger_more"];

/** @param {Language} language */
export const fingersList = (language) => FINGERS.map((text) => texts(language, text));

/** @param {Language} language */
export const keysTable = (language) => KEYS.map(([key, text]) => ({ key, text: texts(language, text) }));
