export { authRoutes } from './auth.routes.ts'
export { makeCaptcha } from './captchas.ts'
export { purgeSignIn } from './purge.ts'
