import { getRouteApi, useRouter } from '@tanstack/react-router'
import { ChangePasswordPage } from '../features/forgot/ChangePasswordPage.tsx'
import { ownPath } from '../lib/own-path.ts'
import { refreshMe } from '../lib/refresh-me.ts'
import { toastSaved } from '../ui/toasts.tsx'
import { LANDING } from './menu.ts'

const route = getRouteApi('/new-password')

export function ChangePasswordRoute() {
  const { history } = useRouter()
  const { returnUrl } = route.useSearch()
  return (
    <ChangePasswordPage
      onChanged={() =>
        void refreshMe().then(() => {
          toastSaved()
          history.replace(ownPath(returnUrl) ?? LANDING)
        })
      }
    />
  )
}
