// Where the engine of the static site runs: a Web Worker, so that the page stays awake while it searches.

import type { Port } from './messages';
import { openFromFolder, serve } from './service';

serve(self as unknown as Port, openFromFolder);
