export { authRoutes } from './auth.routes.ts'
export { confirmHolder, stillHolder } from './confirm-holder.ts'
export { forgotRoutes } from './forgot.routes.ts'
export { deviceCookies } from './known-device.ts'
export {
  changedOf,
  type PasswordMail,
  startPasswordMail,
  type TellsOfChange,
} from './password-mail.ts'
export { purgeSignIn } from './purge-sign-in.ts'
export { remoteLoginRoutes } from './remote-login.routes.ts'
export { unlockAccount } from './sign-in-waits.ts'
