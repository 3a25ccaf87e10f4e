import { getRouteApi, useRouter } from '@tanstack/react-router'
import { LoginPage } from '../features/auth/LoginPage.tsx'
import { ownPath } from '../lib/own-path.ts'
import { LANDING } from './menu.ts'

const route = getRouteApi('/login')

export function LoginRoute() {
  const { history } = useRouter()
  const { returnUrl } = route.useSearch()
  return <LoginPage onSignedIn={() => history.replace(ownPath(returnUrl) ?? LANDING)} />
}
