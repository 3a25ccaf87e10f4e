import { CopyButton } from '../CopyButton.tsx'
import classes from './JsonBlock.module.css'

interface JsonBlockProps {
  caption: string
  /** JSON. Other text is shown unchanged. */
  text: string
}

/** Formatted JSON with a copy button. */
export function JsonBlock({ caption, text }: JsonBlockProps) {
  const pretty = prettyJson(text)
  return (
    <figure className={classes.block}>
      <figcaption>
        {caption} <CopyButton value={pretty} what={caption.toLowerCase()} />
      </figcaption>
      <pre tabIndex={0} aria-label={caption}>
        {shown(pretty)}
      </pre>
    </figure>
  )
}

/** As JSON may write them: else characters that turn the direction of writing exchange names and values. */
const shown = (json: string): string =>
  json.replaceAll(
    /[\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  )

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
