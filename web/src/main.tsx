import { render } from 'preact';
import { App } from './app/App';
import { followTheme } from './app/theme';
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import 'uplot/dist/uPlot.min.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import './styles/shell.css';
import './api/games.css';
import './styles/board.css';
import './styles/play.css';
import './styles/run.css';

followTheme();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
