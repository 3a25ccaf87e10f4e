import { expect, type Locator, type Page } from '@playwright/test'

/** A row of the table, as text by header. */
export type Line = Record<string, string>

export type Table = { headers: string[]; rows: Line[]; page: Line; overall: Line; ratio: string }

/** The statistics pages, with their paths, titles and API calls. */
export const reports = {
  sites: { path: '/app/stats/sites', title: 'Sites Statistics', call: '/api/stats/sites' },
  sitesAvp: {
    path: '/app/stats/sites-avp',
    title: 'Sites AVP Statistics',
    call: '/api/stats/sites/avp',
  },
  payroll: { path: '/app/stats/sites-payout', title: 'Payroll', call: '/api/stats/sites-payout' },
  payrollAvp: {
    path: '/app/stats/sites-payout-avp',
    title: 'Payroll AVP',
    call: '/api/stats/sites-payout/avp',
  },
}

/** The page object of a statistics page. */
export class StatisticsPage {
  readonly page: Page
  readonly table: Locator
  readonly path: string
  private readonly call: string

  constructor(page: Page, { path, title, call }: (typeof reports)['sites'] = reports.sites) {
    this.page = page
    this.table = page.getByRole('region', { name: title, exact: true })
    this.path = path
    this.call = `**${call}`
  }

  async open(search: Record<string, string | number> = {}): Promise<void> {
    const query = new URLSearchParams(
      Object.entries(search).map(([name, value]) => [name, String(value)]),
    )
    await this.page.goto(`${this.path}?${query}`)
    await this.loaded()
  }

  /** Waits until the table shows the answer to the latest request. */
  async loaded(): Promise<void> {
    await expect(this.table).toHaveAttribute('aria-busy', 'false')
    await expect(this.table.locator('tbody tr').first()).toBeVisible()
  }

  async load(): Promise<void> {
    const answer = this.page.waitForResponse(this.call)
    await this.page.getByRole('button', { name: 'Load statistics' }).click()
    await answer
    await this.loaded()
  }

  async viewBy(view: 'Date' | 'Office' | 'Agent' | 'Detail' | 'Link type'): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'View By' }).getByText(view).click()
  }

  async read(): Promise<Table> {
    await this.loaded()
    const { headers, rows, totals } = await this.table.evaluate((region) => {
      const texts = (row: Element) =>
        [...row.querySelectorAll('th, td')].map((cell) => (cell.textContent ?? '').trim())
      const lines = (selector: string) => [...region.querySelectorAll(selector)].map(texts)
      return {
        headers: lines('thead tr')[0] ?? [],
        rows: lines('tbody tr'),
        totals: lines('tfoot tr'),
      }
    })
    const named = (cells: string[] = []): Line =>
      Object.fromEntries(headers.map((header, position) => [header, cells[position] ?? '']))
    // If there is one page, its total is the overall total.
    const [page, overall = page] = totals
    return {
      headers,
      rows: rows.map(named),
      page: named(page),
      overall: named(overall),
      ratio: overall?.join(' ') ?? '',
    }
  }

  /** Reads every page of the list, starting with the current one. */
  async readAllPages(): Promise<Table[]> {
    const tables = [await this.read()]
    const next = this.page.getByRole('button', { name: 'Next' })
    while ((await next.isVisible()) && (await next.isEnabled())) {
      const answer = this.page.waitForResponse(this.call)
      await next.click()
      await answer
      tables.push(await this.read())
    }
    return tables
  }

  async drill(cell: string): Promise<void> {
    const answer = this.page.waitForResponse(this.call)
    await this.table.getByRole('link', { name: cell, exact: true }).first().click()
    await answer
    await this.loaded()
  }
}

/** Parses '$1,234.50', '-₱7.00' or '1,234' into hundredths. */
export const amountOf = (text: string): number =>
  Math.round(Number(text.replaceAll(/[^\d.−-]/g, '').replace('−', '-')) * 100)

const notAddable = new Set([
  '#',
  'Date',
  'Office',
  'Agent',
  'AVP',
  'Week’s AVP Sales',
  'Link Type',
  'Site',
  'Bonus Ratio',
])

/** The columns whose total is the sum of their rows. */
export const addable = (headers: readonly string[]): string[] =>
  headers.filter((header) => !notAddable.has(header))

export const sumOf = (lines: readonly Line[], header: string): number =>
  lines.reduce((sum, line) => sum + amountOf(line[header] ?? ''), 0)
