import { useNavigate } from '@tanstack/react-router'
import { ProfilePage } from '../features/profile/ProfilePage.tsx'
import { LANDING } from './menu.ts'

export function ProfileRoute() {
  const navigate = useNavigate()
  return <ProfilePage onDone={() => void navigate({ to: LANDING })} />
}
