import { isSafeLink, RICH_TEXT_LINK } from '@tallyroom/domain/rich-text'
import { Image } from '@tiptap/extension-image'
import { TableKit } from '@tiptap/extension-table'
import { TextAlign } from '@tiptap/extension-text-align'
import { Color, TextStyle } from '@tiptap/extension-text-style'
import { StarterKit } from '@tiptap/starter-kit'

/** The formats of the editor. Must match the allowlist in `domain/rich-text`. */
export const extensions = [
  StarterKit.configure({
    // Level 1 is the page's title.
    heading: { levels: [2, 3, 4] },
    link: {
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => isSafeLink(url),
      HTMLAttributes: { ...RICH_TEXT_LINK, class: null },
    },
  }),
  TextAlign.configure({ types: ['heading', 'paragraph'] }),
  TextStyle,
  Color,
  Image,
  TableKit.configure({ table: { resizable: false } }),
]
