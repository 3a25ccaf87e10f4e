import type { useNavigate } from '@tanstack/react-router'
import { toast } from '../ui/toasts.tsx'

/** What it means that an act waits for a second person. */
export const WAITS =
  'It doesn’t count until somebody else approves it, who could not have entered it as you.'

/** Says that an act waits, and leads to where it does. */
export const toastProposed = (navigate: ReturnType<typeof useNavigate>) =>
  toast({
    kind: 'success',
    heading: 'Waiting for a second person',
    body: 'It doesn’t count until somebody else approves it.',
    next: { label: 'See who can', open: () => void navigate({ to: '/app/pay/proposals' }) },
  })
