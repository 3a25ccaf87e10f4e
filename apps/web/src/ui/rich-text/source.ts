/** Formats HTML for reading, with one block per line. */
export const asSource = (html: string): string =>
  html.replace(
    /(<\/(?:p|h[2-4]|ul|ol|li|blockquote|pre|table|colgroup|tbody|tr|t[hd])>|<(?:ul|ol|table|tbody|tr|blockquote)[^>]*>|<hr>|<img[^>]*>)(?!\n|$|<\/(?:li|t[hd])>)/g,
    '$1\n',
  )
