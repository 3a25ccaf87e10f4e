import { CopyButton } from '../ui/CopyButton.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { TextAnchor } from '../ui/links.tsx'
import classes from './ShortLink.module.css'

interface ShortLinkProps {
  url: string
  /** Characters shown before the ellipsis. */
  maxLength?: number
  /** Shows plain text instead of a link, because opening it has side effects. */
  onlyCopied?: boolean
}

/** A truncated link. The tooltip and the copied text are complete. */
export function ShortLink({ url, maxLength = 30, onlyCopied = false }: ShortLinkProps) {
  const isCut = url.length > maxLength
  return (
    <span className={classes.short}>
      <Tooltip label={url} disabled={!isCut} multiline maw={480} withArrow>
        {isWebAddress(url) && !onlyCopied ? (
          <TextAnchor href={url} target="_blank" rel="noreferrer">
            {isCut ? `${url.slice(0, maxLength)}…` : url}
          </TextAnchor>
        ) : (
          <span>{isCut ? `${url.slice(0, maxLength)}…` : url}</span>
        )}
      </Tooltip>
      <CopyButton value={url} what="link" />
    </span>
  )
}

/** Stored text may contain anything, so only web addresses become links. */
const isWebAddress = (text: string) => /^https?:\/\//i.test(text)
