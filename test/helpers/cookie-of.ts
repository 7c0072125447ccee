/** What a browser would send back of the cookies that an answer sets. */
export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .join('; ');
}
