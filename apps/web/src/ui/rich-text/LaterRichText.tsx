import { lazy, Suspense, type ComponentProps } from 'react'
import type { RichText as RichTextNow } from './RichText.tsx'

type RichText = typeof RichTextNow

let loaded: RichText | undefined

/** Loads the HTML sanitizer. If awaited first, `LaterRichText` renders at once instead of suspending. */
export async function loadRichText(): Promise<{ default: RichText }> {
  loaded = (await import('./RichText.tsx')).RichText
  return { default: loaded }
}

const Later = lazy(loadRichText)

/** `RichText`, loaded on demand. */
export function LaterRichText(props: ComponentProps<RichText>) {
  const Text = loaded ?? Later
  return (
    <Suspense>
      <Text {...props} />
    </Suspense>
  )
}
