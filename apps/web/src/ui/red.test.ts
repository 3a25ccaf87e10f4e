import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Where red stands, and why. Everything else is said in another colour. */
const reasons: Record<string, string[]> = {
  'what went wrong and has to be mended': [
    'features/avp-schedules/TierFields.module.css',
    'features/ip-blacklist/LineResults.module.css',
    'features/office-fees/RateField.module.css',
    'features/office-fees/SaveState.module.css',
    'features/payment-runs/runs.module.css',
    'features/postbacks/IntegrationFacts.tsx',
    'features/postbacks/Readings.module.css',
    'features/postbacks/Readings.tsx',
    'features/what-if/what-if.module.css',
    'ui/OutcomeBadge.module.css',
    'ui/dates/dates.module.css',
    'ui/list/CriteriaRow.module.css',
    'ui/list/ExportMenu.tsx',
    'ui/list/FoldedFilters.module.css',
    'ui/list/ListFrame.module.css',
    'ui/outcome-looks.ts',
    'ui/toasts.module.css',
  ],
  'what somebody has to do': [
    'features/announcements/AlertBanner.tsx',
    'features/approval/UnapprovedBadge.module.css',
    'features/dashboard/NeedsCount.module.css',
    'features/payee-accounts/OwnAccountPage.tsx',
    'features/payee-accounts/ToConfirmPage.tsx',
  ],
  'money that is lost, or did not arrive': [
    'features/dashboard/LatestSales.tsx',
    'features/pay/pay-words.ts',
    'features/payment-runs/run-words.ts',
    'features/sale-logs/SaleLogsPage.tsx',
    'features/sale-logs/SalePage.tsx',
    'features/sale-logs/sale-log-columns.tsx',
    'ui/Tile.module.css',
    'ui/Timeline.module.css',
    'ui/list/CardList.module.css',
    'ui/list/DataTable.module.css',
  ],
  'an act that destroys': [
    'features/link-types/LinkTypeFormPage.tsx',
    'features/payment-runs/PayFilesPage.tsx',
    'features/sites/SiteSteps.tsx',
    'ui/DialogButtons.tsx',
    'ui/list/RowMenu.tsx',
    'ui/rich-text/RichTextEditor.module.css',
    'ui/rich-text/TableControl.tsx',
  ],
  'what the specification colours: bonus columns, the top three, growth': [
    'features/statistics/stats-columns.module.css',
    'ui/BonusLabel.module.css',
    'ui/boards/Board.module.css',
    'ui/boards/Progress.module.css',
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
    exclude: ['**/*.test.ts', 'ui/theme.*', 'features/spike/**'],
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
