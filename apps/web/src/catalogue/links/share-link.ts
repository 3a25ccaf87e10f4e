import { toast } from '../../ui/toasts.tsx'
import type { LinkItem } from './links.api.ts'

/** Opens the system's share sheet. Browsers without one copy the link. */
export async function shareLink({ sitename, typename, link }: LinkItem): Promise<void> {
  if (!('share' in navigator)) {
    await (navigator as Navigator).clipboard.writeText(link)
    return toast({ kind: 'success', heading: 'Copied', body: 'Paste the link where you need it.' })
  }
  try {
    await navigator.share({ title: `${sitename} · ${typename}`, url: link })
  } catch (error) {
    // The user closed the sheet.
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  }
}
