import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toastSaved } from '../ui/toasts.tsx'
import { useOpened } from '../ui/use-opened.ts'
import { toastProposed } from './waits.ts'
import { refreshPay } from './refresh-pay.ts'

/** A dialog of pay: once its form is saved, or waits for a second person, it closes and says so. */
export function usePayDialog(outcome: 'saved' | 'waits') {
  const client = useQueryClient()
  const navigate = useNavigate()
  const shown = useOpened()
  const [, close] = shown
  return {
    shown,
    onSaved: () => {
      if (outcome === 'waits') toastProposed(navigate)
      else toastSaved()
      close()
      void refreshPay(client)
    },
  }
}
