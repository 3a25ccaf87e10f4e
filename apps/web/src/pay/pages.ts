/*
 * All pages of pay in one chunk. They share most of their code, and separate chunks would pull code from the lists'
 * chunk into the first list's.
 */
export { AdjustmentsPage } from './acts/AdjustmentsPage.tsx'
export { BalancePage, OwnBalancePage } from './balances/BalancePage.tsx'
export { BalancesPage } from './balances/BalancesPage.tsx'
export { HowPayWorksPage } from './terms/HowPayWorksPage.tsx'
export { JournalPage } from './books/JournalPage.tsx'
export { PaySettingsPage } from './terms/PaySettingsPage.tsx'
export { PeriodPage } from './closing/PeriodPage.tsx'
export { PeriodsPage } from './closing/PeriodsPage.tsx'
export { ProposalsPage } from './acts/ProposalsPage.tsx'
export { ProfitPage } from './bookings/ProfitPage.tsx'
export { EstimatePage, PreviewPage, StatementPage } from './statements/StatementPage.tsx'
export { StatementsPage } from './statements/StatementsPage.tsx'
export { WithholdingPage } from './books/WithholdingPage.tsx'
export { YearPage, YearsPage } from './books/YearPages.tsx'
