import type { QueryClient } from '@tanstack/react-query'
import { readBrand } from '../../lib/brand.ts'
import { loadRichText } from '../../ui/rich-text/LaterRichText.tsx'
import { dashboardQuery, manualsQuery } from './dashboard.api.ts'

/** What decides how high everything above the boards is, so that they are drawn where they stay. */
export async function loadHome(client: QueryClient): Promise<void> {
  const manuals = readBrand().flags.howToSell ? client.ensureQueryData(manualsQuery) : undefined
  const { answer } = await client.ensureQueryData(dashboardQuery)
  await Promise.all([manuals, answer.lastNews && loadRichText()])
}
