import { useMemo } from 'react'
import { cleanRichText } from './clean.ts'
import classes from './RichText.module.css'

/** Sanitized HTML from the rich-text editor. The only component that renders user HTML. */
export function RichText({ html }: { html: string }) {
  const clean = useMemo(() => ({ __html: cleanRichText(html) }), [html])
  return <div className={classes.text} dangerouslySetInnerHTML={clean} />
}
