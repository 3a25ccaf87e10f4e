/** What the pages that people open first import when drawn, in the order in which they need it. */
export const FIRST_PAGES = {
  '/app/home': ['/home/HomePage.tsx', '/home/load-home.ts', '/ui/rich-text/RichText.tsx'],
  '/app/stats/sites-payout': [
    '/statistics/StatsPage.tsx',
    '/statistics/Overview.tsx',
    // Of an alert above the page.
    '/ui/rich-text/RichText.tsx',
    '/statistics/PayRule.tsx',
    '/statistics/EarnedStrip.tsx',
  ],
  '/login': ['/auth/LoginPage.tsx'],
}
