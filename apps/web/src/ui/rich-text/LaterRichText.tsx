import { lazy, Suspense, type ComponentProps } from 'react'
import type { RichText as RichTextNow } from './RichText.tsx'

type RichText = typeof RichTextNow

let loaded: RichText | undefined

/** What cleans HTML comes when there is some. Whoever awaits this first sees the text in the first drawing. */
export async function loadRichText(): Promise<{ default: RichText }> {
  loaded = (await import('./RichText.tsx')).RichText
  return { default: loaded }
}

const Later = lazy(loadRichText)

/** `RichText`, in a chunk of its own. */
export function LaterRichText(props: ComponentProps<RichText>) {
  const Text = loaded ?? Later
  return (
    <Suspense>
      <Text {...props} />
    </Suspense>
  )
}
