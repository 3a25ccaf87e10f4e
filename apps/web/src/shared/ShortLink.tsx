import { CopyButton } from '../ui/CopyButton.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { TextAnchor } from '../ui/links.tsx'
import classes from './ShortLink.module.css'

interface ShortLinkProps {
  url: string
  /** Characters shown before the ellipsis. */
  maxLength?: number
  /** Shows neither the scheme nor what all tracked links have before their ids. */
  bare?: boolean
  /** Leaves out the copy button, where width is scarce and the link opens. */
  withoutCopy?: boolean
  /** Shows plain text instead of a link, because opening it has side effects. */
  onlyCopied?: boolean
}

/** A truncated link. The tooltip and the copied text are complete. */
export function ShortLink({
  url,
  maxLength = 30,
  bare = false,
  withoutCopy = false,
  onlyCopied = false,
}: ShortLinkProps) {
  const whole = bare ? bareLink(url) : url
  const text = whole.length > maxLength ? `${whole.slice(0, maxLength)}…` : whole
  return (
    <span className={classes.short}>
      <Tooltip label={url} disabled={text === url} multiline maw={480} withArrow>
        {isWebAddress(url) && !onlyCopied ? (
          <TextAnchor href={url} target="_blank" rel="noreferrer">
            {text}
          </TextAnchor>
        ) : (
          <span>{text}</span>
        )}
      </Tooltip>
      {!withoutCopy && <CopyButton value={url} what="link" />}
    </span>
  )
}

/** `go.example.com/…/1/3/1` */
const bareLink = (url: string) => url.replace(/^https?:\/\//i, '').replace('/api/links/go/', '/…/')

/** Stored text may contain anything, so only web addresses become links. */
const isWebAddress = (text: string) => /^https?:\/\//i.test(text)
