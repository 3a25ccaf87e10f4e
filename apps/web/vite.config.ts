import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { bundleBudget } from './bundle-budget.ts'
import { firstScreens } from './first-screens.ts'
import { withoutJsonSchemas } from './without-json-schemas.ts'
import { withoutServerFacts } from './without-server-facts.ts'

const API = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

/** Libraries that change rarely get chunks of their own, so that a release does not expire them in the browser's cache. */
const libraryChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'tanstack',
    test: /node_modules\/@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store)\//,
  },
  // One file of what the frame needs, two of what nearly every page does: many small ones weigh more and come later.
  { name: 'frame', tags: ['$initial' as const] },
  // Small things that Home needs, too, which is not to load tables and forms for them.
  {
    name: 'lists-and-home',
    test: /\/(ui\/(ObjectLink|CopyButton|IconButton|text\/(TimeZoneNote|Instant|StatusText)|list\/(back-to-list|columns))|lib\/(instant-text|download)|shared\/pickers\/picker|icons\/Icon(Check|Refresh)|(Skeleton\/Skeleton|Alert\/Alert)(\.module)?)\.\w+$/,
  },
  // What fields are made of. Lists have them without forms.
  {
    name: 'inputs',
    test: /\/(components\/(Input|InputBase|TextInput|Stack)|use-resolved-styles-api|use-uncontrolled|lib\/forms\/form-errors)[/.]/,
  },
  // All that the sign-in needs besides what every page does, in one file. Other forms need most of it.
  { name: 'door', test: /\/auth\/LoginPage\.tsx$/ },
  // What styles the parts of lists, reports and Home, in one file instead of eight.
  {
    name: 'sheets',
    test: /\/src\/(ui|shared|figures\/statistics|desk\/home)\/.*\.module\.css$/,
  },
  // Tables, and what opens and is chosen from: Home has none of it.
  {
    name: 'tables',
    test: /\/(@floating-ui|react-remove-scroll|react-remove-scroll-bar|use-sidecar|react-style-singleton|use-callback-ref|components\/(Popover|Combobox|Select|ModalBase|ScrollArea|Checkbox)|utils\/(InlineInput|Floating)|ui\/(list|cards|filters|Select|Panel))[/.]/,
    minShareCount: 26,
  },
  // What is shared beneath the pages needs no controls: the frame has use for it without them.
  { name: 'contract', test: /\/packages\//, minShareCount: 26 },
  { name: 'shared', test: /./, minShareCount: 30 },
  // Of what Home needs: what lists and reports need too, and all the rest, which comes as one file instead of thirty.
  {
    name: 'reports-and-home',
    test: /\/(ui\/(text\/WithDays|text\/Amount|PlainTable|signed-amounts)|lib\/amount-text|src\/(avp|figures\/(top-agents|office-performance)|catalogue\/avp-schedules)|shared\/pickers\/offered-sites|src\/(sub-ids|rich-text|pay\/money-text)|ui\/Tile|shared\/earned)\.\w+$/,
  },
  {
    name: 'home',
    test: /\/(shared\/(boards\/(Top10Table|Progress)|AvpStandingCard)|contract\/src\/(desk\/(home|dashboard|sale-logs|click-logs|announcements)|pay\/(closing\/(earned|periods)|statements\/statement-sections|terms\/(payees|periods))|figures\/avp-week|catalogue\/manuals|operate\/demo-visitors|tracking\/held-postbacks)|lib\/office-sales|shared\/(SiteLink|held\/hold-words)|Badge\/Badge|icons\/IconMinus|desk\/home\/(dashboard\.api|home-words|live-query))\.\w+$/,
  },
  // Of what a list or report needs: its frame, filters, pickers and exports, which came as fifty files.
  {
    name: 'lists',
    test: /\/(ui\/(list|export|filters|dates|EntitySelect)|shared\/(pickers|within|AvpSchedule|SubIdFilter)|lib\/forms\/save-answer|contract\/src\/(figures\/(statistics|stats-figures|what-if)|desk\/exports|export-formats|catalogue\/link-types)|domain\/src\/(ratios|placeholders|destination)|core\/esm\/(components\/(Menu|SegmentedControl|FloatingIndicator|Radio\/RadioIcon|Accordion\/AccordionChevron)|core\/utils\/get-env|utils\/Floating\/use-delayed-hover)|icons\/Icon(Calendar|AdjustmentsHorizontal|Printer))/,
    minShareCount: 2,
  },
  {
    name: 'reports',
    test: /\/(figures\/statistics\/(amounts|drill|stats-columns|totals-rows)|ui\/(chart\/chart|export\/PrintButtons|list\/MoreLine))/,
    minShareCount: 2,
  },
  // Formatted texts and what cleans them, of an alert above any page.
  { name: 'rich-text', test: /\/(rich-text\/(RichText|clean)\.|dompurify\/)/ },
]

export default defineConfig({
  plugins: [withoutServerFacts(), withoutJsonSchemas(), react(), bundleBudget(), firstScreens()],
  server: {
    port: 5173,
    proxy: { '/api': API },
    // As in production (apps/api/src/http/secure-headers.ts), so that a violation shows while it is written. The other
    // directives would refuse the development server's own scripts.
    headers: {
      'Content-Security-Policy':
        "require-trusted-types-for 'script'; trusted-types default apart dompurify",
    },
  },
  preview: { proxy: { '/api': API } },
  build: {
    target: 'es2023',
    // The first browsers with light-dark(): what it would be lowered to does not follow our own switch.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: true,
    // The content security policy allows fonts as files, not in style sheets.
    assetsInlineLimit: (path) => (path.endsWith('.woff2') ? false : undefined),
    rolldownOptions: { output: { codeSplitting: { groups: libraryChunks } } },
  },
})
