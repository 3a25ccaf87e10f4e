import { IconShare2 } from '@tabler/icons-react'
import { IconButton } from './IconButton.tsx'
import { toast } from './toasts.tsx'
import { Tooltip } from './Tooltip.tsx'

interface ShareButtonProps {
  url: string
  /** The name of what is shared, for screen readers and for the other app. */
  what: string
}

/** Hands a link to the system's share sheet. Hidden in browsers without one, which have Copy. */
export function ShareButton({ url, what }: ShareButtonProps) {
  if (!('share' in navigator)) return null
  return (
    <Tooltip label="Share" withArrow>
      <IconButton aria-label={`Share link ${what}`} onClick={() => void share(url, what)}>
        <IconShare2 size={14} />
      </IconButton>
    </Tooltip>
  )
}

async function share(url: string, title: string) {
  try {
    await navigator.share({ url, title })
  } catch (error) {
    // Closing the sheet without sharing is not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast({ kind: 'error', heading: 'Not shared', body: 'Copy the link instead.' })
  }
}
