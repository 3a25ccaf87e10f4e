/** The pages that people open first, with what they import when drawn. */
export const FIRST_PAGES = {
  '/app/home': ['/home/HomePage.tsx', '/home/load-home.ts', '/ui/rich-text/RichText.tsx'],
  '/app/stats/sites-payout': [
    '/statistics/StatsPage.tsx',
    '/statistics/Overview.tsx',
    '/statistics/EarnedStrip.tsx',
    '/statistics/PayRule.tsx',
    // Of an alert above the page.
    '/ui/rich-text/RichText.tsx',
  ],
  '/login': ['/auth/LoginPage.tsx'],
}
