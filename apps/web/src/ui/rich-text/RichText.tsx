import { useMemo } from 'react'
import { cleanRichText } from './clean.ts'
import classes from './RichText.module.css'

/** HTML that somebody wrote in the rich-text editor, cleaned before it is shown. The only place that shows any. */
export function RichText({ html }: { html: string }) {
  const clean = useMemo(() => ({ __html: cleanRichText(html) }), [html])
  return <div className={classes.text} dangerouslySetInnerHTML={clean} />
}
