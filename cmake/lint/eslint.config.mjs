import js from "@eslint/js";
import globals from "globals";
import tseslint from "typescript-eslint";

export default tseslint.config(js.configs.recommended, ...tseslint.configs.recommended, {
  languageOptions: {globals: {...globals.node, ...globals.browser}},
  rules: {
    "@typescript-eslint/no-unused-expressions": ["error", {allowShortCircuit: true, allowTernary: true}],
    "@typescript-eslint/no-unused-vars": ["error", {argsIgnorePattern: "^_"}],
    eqeqeq: ["error", "smart"],
    "no-control-regex": "off",  // names are shown with their control characters spelled out
    "no-var": "error",
    "prefer-const": "error",
  },
});
