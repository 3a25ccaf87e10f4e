/*
 * All pages of pay as one chunk: they share most of their code, and each chunk of its own would move what it uses from
 * the lists' chunk into that of the first list.
 */
export { BalancePage } from './BalancePage.tsx'
export { BalancesPage } from './BalancesPage.tsx'
export { HowPayWorksPage } from './HowPayWorksPage.tsx'
export { PaySettingsPage } from './PaySettingsPage.tsx'
export { PeriodPage } from './PeriodPage.tsx'
export { PeriodsPage } from './PeriodsPage.tsx'
export { ProfitPage } from './ProfitPage.tsx'
export { PreviewPage, StatementPage } from './StatementPage.tsx'
export { StatementsPage } from './StatementsPage.tsx'
