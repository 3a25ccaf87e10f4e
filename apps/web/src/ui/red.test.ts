import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Where red stands, and why. Everything else is said in another colour. */
const reasons: Record<string, string[]> = {
  'what went wrong and has to be mended': [
    'catalogue/avp-schedules/TierFields.module.css',
    'people/blacklist/LineResults.module.css',
    'catalogue/rates/RateField.module.css',
    'catalogue/rates/SaveState.module.css',
    'desk/partner-postbacks/Answer.tsx',
    'desk/partner-postbacks/PartnerPostbackPage.tsx',
    'desk/partner-postbacks/PartnerPostbacksPage.tsx',
    'desk/partner-postbacks/WebhookPage.tsx',
    'desk/partner-postbacks/WebhooksPage.tsx',
    'desk/queue/QueuePage.tsx',
    'pay/runs/runs.module.css',
    'tracking/postbacks/IntegrationFacts.tsx',
    'tracking/postbacks/Readings.module.css',
    'tracking/postbacks/Readings.tsx',
    'figures/what-if/what-if.module.css',
    'shared/OutcomeBadge.module.css',
    'ui/dates/dates.module.css',
    'ui/list/CriteriaRow.module.css',
    'ui/list/ExportMenu.tsx',
    'ui/list/FoldedFilters.module.css',
    'ui/list/ListFrame.module.css',
    'shared/outcome-looks.ts',
    'ui/toasts.module.css',
  ],
  'what somebody has to do': [
    'desk/alarms/Alarms.tsx',
    'desk/announcements/AlertBanner.tsx',
    'people/approval/UnapprovedBadge.module.css',
    'desk/home/NeedsCount.module.css',
    'operate/verification/VerificationPage.tsx',
    'operate/verification/verification.module.css',
    'pay/accounts/OwnAccountPage.tsx',
    'pay/accounts/ToConfirmPage.tsx',
  ],
  'money that is lost, or did not arrive': [
    'desk/home/LatestSales.tsx',
    'pay/periods/pay-words.ts',
    'pay/runs/run-words.ts',
    'desk/sale-logs/SaleLogsPage.tsx',
    'desk/sale-logs/SalePage.tsx',
    'desk/sale-logs/sale-log-columns.tsx',
    'ui/Tile.module.css',
    'ui/Timeline.module.css',
    'ui/list/CardList.module.css',
    'ui/list/DataTable.module.css',
  ],
  'an act that destroys': [
    'catalogue/link-types/LinkTypeFormPage.tsx',
    'pay/runs/PayFilesPage.tsx',
    'catalogue/sites/SiteSteps.tsx',
    'ui/DialogButtons.tsx',
    'ui/list/RowMenu.tsx',
    'ui/rich-text/RichTextEditor.module.css',
    'ui/rich-text/TableControl.tsx',
  ],
  'what the specification colours: bonus columns, the top three, growth': [
    'figures/statistics/stats-columns.module.css',
    'shared/BonusLabel.module.css',
    'shared/boards/Board.module.css',
    'shared/boards/Progress.module.css',
    'ui/list/CardList.module.css',
    'ui/list/DataTable.module.css',
  ],
  'a writer’s own choice': ['ui/rich-text/RichText.module.css'],
}

const source = join(import.meta.dirname, '..')
const RED =
  /\bcolor(=|: )['"]red['"]|\bfailed: 'red'|--mantine-color-(error|red)|: var\(--tr-bonus\)|['"]bad['"]/
const HEX = /#([\da-f]{2})([\da-f]{2})([\da-f]{2})\b/gi

test('red stands only for lost money, for what needs doing, and where the specification wants it', () => {
  const files = globSync('**/*.{ts,tsx,css}', {
    cwd: source,
    exclude: ['**/*.test.ts', 'ui/theme.*', 'operate/spike/**'],
  })
  const red = files.filter((file) => isRed(readFileSync(join(source, file), 'utf8')))
  const allowed = new Set(Object.values(reasons).flat())
  expect(red.toSorted()).toEqual([...allowed].toSorted())
})

function isRed(text: string): boolean {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    // What the type of a row's tone names.
    .replaceAll(/'good' \| 'bad'/g, '')
    // What went wrong, and is announced.
    .replaceAll(/<Alert\b(?:(?!<\/Alert)[\s\S])*?\brole="alert"/g, '')
  return RED.test(code) || [...code.matchAll(HEX)].some(([, ...rgb]) => isRedHex(rgb))
}

/** A colour that reads as red: its hue is within 15° of red, and it is neither pale nor dull nor nearly black. */
function isRedHex(rgb: string[]): boolean {
  const [r = 0, g = 0, b = 0] = rgb.map((hex) => Number.parseInt(hex, 16))
  const least = Math.min(g, b)
  return r > 100 && r - least > 100 && Math.abs(g - b) / (r - least) < 0.25
}
