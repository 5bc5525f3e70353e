// What an explorer's page holds.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

// The bytes of a part of a page.
export function part(page, id) {
  const [, text] = new RegExp(`id="${id}">([^<]*)<`).exec(readFileSync(page, "utf8"));
  return gunzipSync(Buffer.from(text, "base64"));
}
