import { getRouteApi, useRouter } from '@tanstack/react-router'
import { RemoteLoginQuestion } from '../features/remote-login/RemoteLoginQuestion.tsx'
import { exchangeOnce } from './door-routes.ts'
import { LANDING } from './menu.ts'

const route = getRouteApi('/remote-login')

export function RemoteLoginRoute() {
  const router = useRouter()
  const { token } = route.useSearch()
  const leave = () => router.navigate({ to: LANDING, replace: true })
  return (
    <RemoteLoginQuestion
      onStay={() => void leave()}
      onSwitch={async () => {
        await exchangeOnce(token ?? '')
        await leave()
      }}
    />
  )
}
