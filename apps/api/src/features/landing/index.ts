export { landingPage } from './landing.page.ts'
